import { createContext, useContext } from 'react';
import type { Mines } from './Mines';

export const MinesContext = createContext<Mines | null>(null);

export function useMines(): Mines {
  const mines = useContext(MinesContext);
  if (!mines) throw new Error('useMines outside of the mines');
  return mines;
}
