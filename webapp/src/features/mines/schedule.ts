import type { MinesStatus } from '../../api/types';

/** A status that should have changed is refetched after this; milliseconds. */
export const staleAfterMs = 30_000;
/** When the energy is full again every client refetches, at a random moment within this time; milliseconds. */
export const refetchJitterMs = 3000;
/** How often the result of a closed tournament is polled; milliseconds. */
const resultPollMs = 60_000;
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
