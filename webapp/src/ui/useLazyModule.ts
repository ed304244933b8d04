import { useCallback, useEffect, useState } from 'react';

export type LazyModule<Part> =
  | { is: 'coming' }
  | { is: 'here'; part: Part }
  | { is: 'missing'; late: boolean };

/** Code that has not come after so long, in milliseconds, is missing: on a network that hangs nothing ever fails. It may still come. */
const loadTimeoutMs = 15_000;

/** What has been fetched, by the function that fetches it. */
const fetched = new Map<unknown, unknown>();

/**
 * The code of a part that is not in the first screen's, fetched once it is wanted. Unlike React's `lazy` it does not
 * remember a failure: with the network back, `retry` fetches again. `load` is one function for each part, not made anew
 * with each drawing.
 */
export function useLazyModule<Part>(
  load: () => Promise<Part>,
  wanted: boolean,
): [LazyModule<Part>, () => void] {
  const [loaded, setLoaded] = useState<Loaded<Part>>(() => first(load));
  // Another screen in the same place brings a part of its own.
  if (loaded.load !== load) setLoaded(first(load));
  const { code } = loaded.load === load ? loaded : first(load);
  const here = code.is === 'here';
  const fetchIt = useCallback(() => {
    // Of two tries the one that succeeds counts, whichever ends last.
    const learn = (next: LazyModule<Part>) =>
      setLoaded((last) => (last.load === load && last.code.is !== 'here' ? { load, code: next } : last));
    learn({ is: 'coming' });
    const late = setTimeout(() => learn({ is: 'missing', late: true }), loadTimeoutMs);
    load()
      .then(
        (part) => {
          fetched.set(load, part);
          learn({ is: 'here', part });
        },
        () => learn({ is: 'missing', late: false }),
      )
      .finally(() => clearTimeout(late));
  }, [load]);
  useEffect(() => {
    if (!wanted || here) return;
    fetchIt();
    // The next time it is wanted it is coming again, not missing still.
    return () =>
      setLoaded((last) => (last.code.is === 'missing' ? { ...last, code: { is: 'coming' } } : last));
  }, [wanted, here, fetchIt]);
  return [code, fetchIt];
}

type Loaded<Part> = { readonly load: () => Promise<Part>; readonly code: LazyModule<Part> };

function first<Part>(load: () => Promise<Part>): Loaded<Part> {
  if (!fetched.has(load)) return { load, code: { is: 'coming' } };
  return { load, code: { is: 'here', part: fetched.get(load) as Part } };
}

/** Fetches a part before it is wanted, in quiet: if it fails, it is fetched again when it is. */
export function prefetch(load: () => Promise<unknown>): void {
  if (fetched.has(load)) return;
  load().then(
    (part) => fetched.set(load, part),
    () => undefined,
  );
}
