import { createContext, useContext } from 'react';
import type { Sale } from './Sale';

export const SaleContext = createContext<Sale | null>(null);

export function useSale(): Sale {
  const sale = useContext(SaleContext);
  if (!sale) throw new Error('useSale outside of what sells');
  return sale;
}
