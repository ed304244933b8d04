import { useMemo } from 'react';
import type { Sale } from '../features/market/Sale';
import { useRoot } from './RootContext';

/** Fetches what sells coins together with the stores it reads; one function for each place. */
export function useWithSale<Part>(load: () => Promise<Part>): () => Promise<readonly [Part, Sale]> {
  const root = useRoot();
  return useMemo(() => () => Promise.all([load(), root.loadSale()]), [root, load]);
}
