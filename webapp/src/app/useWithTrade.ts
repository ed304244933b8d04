import { useMemo } from 'react';
import type { Trade } from '../features/market/Trade';
import { useRoot } from './RootContext';

/** Fetches what sells coins together with the stores it reads; one function for each place. */
export function useWithTrade<Part>(load: () => Promise<Part>): () => Promise<readonly [Part, Trade]> {
  const root = useRoot();
  return useMemo(() => () => Promise.all([load(), root.loadTrade()]), [root, load]);
}
