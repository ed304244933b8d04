import { Mine } from './Mine';
import { Miners } from './Miners';
import type { Mines } from './Mines';
import { MinesContext } from './MinesContext';
import { Rules } from './Rules';

const screens = { '/mines': Mine, '/mines-leaderboard': Miners, '/mines-rules': Rules } as const;

/** Spec §2: the three screens of the tournament. */
export function MinesScreen({ path, mines }: { path: keyof typeof screens; mines: Mines }) {
  const Part = screens[path];
  return (
    <MinesContext value={mines}>
      <Part />
    </MinesContext>
  );
}
