import type { MinesStatus } from '../../api/types';

/** What was not told at its moment is asked for again after this; milliseconds. */
export const staleAfterMs = 30_000;
/** When the ore is full again everybody in the mines asks for it, spread over this time; milliseconds. */
export const spread = 3000;
/** How often a player who waits for the ore to be counted asks whether it is; milliseconds. */
const counting = 60_000;
/** So long before a tournament's end, or the season's, nothing is dug any more, and what was dug is sent; milliseconds. */
const closing = 2000;
/** Milliseconds. */
const hour = 3_600_000;
/** A UTC day, milliseconds. */
const day = 86_400_000;

/** The UTC day of a moment, days since 1970. */
export const dayOf = (time: number): number => Math.floor(time / day);

/** It has begun, and what is dug now is still sent in time. `untilTurn` is what is left of the season, milliseconds. */
export function isOn({ tournament }: MinesStatus, now: number, untilTurn: number): boolean {
  const left = Math.min(untilTurn, Date.parse(tournament.ends_at) - now);
  return tournament.status === 'running' && left > closing;
}

/** Too few days are left for who begins now to become a daily digger. */
export function isTooLateForDaily({ tournament, rules }: MinesStatus, now: number): boolean {
  const lastDay = dayOf(Date.parse(tournament.ends_at) - 1);
  return lastDay - dayOf(now) + 1 < rules.daily_days;
}

/** Whether this is the first window of today, and all its energy is still there. */
export function isDayUntouched({ energy_info, rules }: MinesStatus, now: number): boolean {
  const full = Date.parse(energy_info.full_at);
  const first = full - rules.window_hours * hour === dayOf(now) * day;
  return first && now < full && energy_info.current === energy_info.max;
}

/** Milliseconds until ore is sent for the last time before the energy is full again, or the tournament or the season ends. */
export function timeToSend({ energy_info, tournament }: MinesStatus, now: number, untilTurn: number): number {
  const ends = [energy_info.full_at, tournament.ends_at].map(Date.parse);
  return Math.min(untilTurn, ...ends.map((end) => end - now).filter((left) => left > 0)) - closing;
}

/**
 * The next moment at which a status that was told at `toldAt` changes by itself. Where one is past and the server still tells what
 * was before it, we asked too early by its own clock: soon again, and the longer it takes the later.
 */
export function changesAt({ energy_info, tournament }: MinesStatus, loadedAt: number): number {
  const { starts_at, ends_at, next_starts_at, status: is } = tournament;
  const changes = [energy_info.full_at];
  if (is === 'scheduled') changes.push(starts_at);
  if (is === 'running') changes.push(ends_at);
  if (next_starts_at !== null) changes.push(next_starts_at);
  const times = changes.map((moment) => {
    const late = loadedAt - Date.parse(moment);
    return loadedAt + (late < 0 ? -late : Math.min(staleAfterMs, Math.max(spread, late)));
  });
  return Math.min(...times, is === 'closed' ? loadedAt + counting : Number.POSITIVE_INFINITY);
}
