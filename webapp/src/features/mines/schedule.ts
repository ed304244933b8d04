import type { MinesStatus } from '../../api/types';

/** A status that should have changed is refetched after this; milliseconds. */
export const staleAfterMs = 30_000;
/** When the energy is full again every client refetches, at a random moment within this time; milliseconds. */
export const refetchJitterMs = 3000;
/** How often the result of a closed tournament is polled; milliseconds. */
const resultPollMs = 60_000;
/** Digging stops, and what was dug is sent, so long before the end of a tournament or the season; milliseconds. */
const closingMs = 2000;
/** Milliseconds. */
const hour = 3_600_000;
/** A UTC day, milliseconds. */
const day = 86_400_000;

/** The UTC day of a moment, days since 1970. */
export const dayOf = (time: number): number => Math.floor(time / day);

/** It runs, and what is dug now is still sent in time. `untilTurn`: milliseconds until the season's next boundary. */
export function isOn({ tournament }: MinesStatus, now: number, untilTurn: number): boolean {
  const left = Math.min(untilTurn, Date.parse(tournament.ends_at) - now);
  return tournament.status === 'running' && left > closingMs;
}

/** Too few days are left to become a daily digger. */
export function isTooLateForDaily({ tournament, rules }: MinesStatus, now: number): boolean {
  const lastDay = dayOf(Date.parse(tournament.ends_at) - 1);
  return lastDay - dayOf(now) + 1 < rules.daily_days;
}

/** This is the first energy window of the UTC day, and all its energy is left. */
export function isDayUntouched({ energy_info, rules }: MinesStatus, now: number): boolean {
  const full = Date.parse(energy_info.full_at);
  const first = full - rules.window_hours * hour === dayOf(now) * day;
  return first && now < full && energy_info.current === energy_info.max;
}

/** Milliseconds until the last sync before the energy is full again, or the tournament or the season ends. */
export function untilLastSync(
  { energy_info, tournament }: MinesStatus,
  now: number,
  untilTurn: number,
): number {
  const ends = [energy_info.full_at, tournament.ends_at].map(Date.parse);
  return Math.min(untilTurn, ...ends.map((end) => end - now).filter((left) => left > 0)) - closingMs;
}

/**
 * When a status loaded at `loadedAt` changes by itself. A moment that had passed by then changed nothing yet by the server's
 * clock: it is due soon again, the later the longer it takes.
 */
export function changesAt({ energy_info, tournament }: MinesStatus, loadedAt: number): number {
  const { starts_at, ends_at, next_starts_at, status: is } = tournament;
  const changes = [energy_info.full_at];
  if (is === 'scheduled') changes.push(starts_at);
  if (is === 'running') changes.push(ends_at);
  if (next_starts_at !== null) changes.push(next_starts_at);
  const times = changes.map((moment) => {
    const late = loadedAt - Date.parse(moment);
    return loadedAt + (late < 0 ? -late : Math.min(staleAfterMs, Math.max(refetchJitterMs, late)));
  });
  return Math.min(...times, is === 'closed' ? loadedAt + resultPollMs : Number.POSITIVE_INFINITY);
}
