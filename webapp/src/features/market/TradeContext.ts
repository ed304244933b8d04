import { createContext, useContext } from 'react';
import type { Trade } from './Trade';

export const TradeContext = createContext<Trade | null>(null);

export function useTrade(): Trade {
  const trade = useContext(TradeContext);
  if (!trade) throw new Error('useSale outside of what sells');
  return trade;
}
