import { haptics } from '../telegram';
import type { Speaker } from './speaker';

/** What plays sounds beside what is felt; its code is fetched when they are first wanted. */
export function openSounds() {
  let wanted = false;
  let speaker: Speaker | null = null;

  /** Switches sounds on or off; `aloud` plays one at once. Rejects if the code cannot be loaded or the device plays no sound. */
  return async function play(on: boolean, aloud: boolean): Promise<void> {
    wanted = on;
    if (!on) {
      haptics.tell(null);
      speaker?.rest();
      return;
    }
    const { open } = await import('./speaker');
    if (!wanted) return;
    speaker ??= open(Math.random);
    haptics.tell(speaker.play);
    if (aloud) speaker.sample();
  };
}
