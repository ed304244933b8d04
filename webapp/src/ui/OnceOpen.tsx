import { type ReactNode, Suspense, useEffect, useState } from 'react';

/** How long the first screen has the network to itself before what opens over it is fetched, in milliseconds. */
const patience = 3000;

type Props = {
  open: boolean;
  /** Fetches the code of what opens. */
  load: () => Promise<unknown>;
  children: ReactNode;
};

/** Renders a part from its first opening on, so that its code is no part of the first screen. */
export function OnceOpen({ open, load, children }: Props) {
  const [wanted, want] = useState(open);
  if (open && !wanted) want(true);
  useEffect(() => {
    const timer = setTimeout(() => load().catch(() => undefined), patience);
    return () => clearTimeout(timer);
  }, [load]);
  return wanted ? <Suspense fallback={null}>{children}</Suspense> : null;
}
