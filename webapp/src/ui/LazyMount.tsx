import { type ReactNode, useEffect, useRef } from 'react';
import { reloadPageOnce } from './reloadPage';
import { prefetch, useLazyModule } from './useLazyModule';

/** How long the first screen has the network to itself before what opens over it is fetched, in milliseconds. */
const loadTimeoutMs = 3000;

type Props<Part> = {
  open: boolean;
  /** Fetches all the code of what opens, so that it comes whole. */
  load: () => Promise<Part>;
  /** The code cannot be fetched; without this it is tried again until it can. */
  onMissing?: (() => void) | undefined;
  /** While it is open something goes on that a page opened anew would lose. */
  keepsPage?: boolean;
  children: (part: Part) => ReactNode;
};

/** Renders a part from its first opening on, so that its code is no part of the first screen. */
export function LazyMount<Part>({ open, load, onMissing, keepsPage = false, children }: Props<Part>) {
  const [code, retry] = useLazyModule(load, open);
  useEffect(() => {
    const timer = setTimeout(() => prefetch(load), loadTimeoutMs);
    return () => clearTimeout(timer);
  }, [load]);
  // Each failure is another, also where it follows the one before so fast that nothing is drawn between.
  const missing = open && code.is === 'missing' ? code : null;
  const missed = useRef(false);
  useEffect(() => {
    if (!missing || missing.late || !navigator.onLine) return;
    if (missed.current && !keepsPage) void reloadPageOnce();
    missed.current = true;
  }, [missing, keepsPage]);
  useEffect(() => {
    if (!missing) return;
    if (onMissing) return onMissing();
    if (missing.late) return; // it is still on its way
    const timer = setTimeout(retry, loadTimeoutMs);
    return () => clearTimeout(timer);
  }, [missing, onMissing, retry]);
  return code.is === 'here' ? children(code.part) : null;
}
