import { useCallback, useEffect, useState } from 'react';

export type Code<Part> = { is: 'coming' } | { is: 'here'; part: Part } | { is: 'missing' };

/** What has been fetched, by the function that fetches it. */
const fetched = new Map<unknown, unknown>();

/**
 * The code of a part that is not in the first screen's, fetched once it is wanted. Unlike React's `lazy` it does not
 * remember a failure: with the network back, `retry` fetches again. `load` is one function for each part, not made anew
 * with each drawing.
 */
export function useCode<Part>(load: () => Promise<Part>, wanted: boolean): [Code<Part>, () => void] {
  const [code, setCode] = useState<Code<Part>>(() =>
    fetched.has(load) ? { is: 'here', part: fetched.get(load) as Part } : { is: 'coming' },
  );
  const here = code.is === 'here';
  const fetchIt = useCallback(() => {
    setCode({ is: 'coming' });
    load().then(
      (part) => {
        fetched.set(load, part);
        setCode({ is: 'here', part });
      },
      () => setCode({ is: 'missing' }),
    );
  }, [load]);
  useEffect(() => {
    if (!wanted || here) return;
    fetchIt();
    // The next time it is wanted it is coming again, not missing still.
    return () => setCode((last) => (last.is === 'missing' ? { is: 'coming' } : last));
  }, [wanted, here, fetchIt]);
  return [code, fetchIt];
}

/** Fetches a part before it is wanted, in quiet: if it fails, it is fetched again when it is. */
export function prefetch(load: () => Promise<unknown>): void {
  if (fetched.has(load)) return;
  load().then(
    (part) => fetched.set(load, part),
    () => undefined,
  );
}
