import type { RootStore } from '../../app/RootStore';

/** The state of the player's mine by the last answer and the clock; `over`: there is no tournament and no result. */
export type MineState =
  | { is: 'unknown' | 'over' | 'result' | 'none' | 'scheduled' }
  | { is: 'full' }
  | { is: 'digging'; left: number; max: number }
  | { is: 'empty'; fullAt: number };

/** What a mine calls for. */
export const mineCalls = {
  full: 'home.mines_full',
  digging: 'home.mines_digging',
  result: 'home.mines_result',
} as const;

export function mineState({ minesSummary, settings, clock }: RootStore): MineState {
  const { value } = minesSummary;
  if (!value || settings.season === 'ahead') return { is: 'unknown' };
  const { tournament, energy_info, current_mine_level: level } = value;
  if (tournament.result) return { is: 'result' };
  if (tournament.status === 'scheduled') return { is: 'scheduled' };
  const running = tournament.status === 'running' && Date.parse(tournament.ends_at) > clock.now;
  if (!running || settings.season !== 'running') return { is: 'over' };
  if (level === 0) return { is: 'none' };
  const { current, max, full_at } = energy_info;
  const fullAt = Date.parse(full_at);
  const left = clock.now >= fullAt ? max : current;
  if (left === max) return { is: 'full' };
  return left === 0 ? { is: 'empty', fullAt } : { is: 'digging', left, max };
}
