import { haptics } from '../telegram';
import type { Speaker } from './speaker';

/** What plays sounds beside what is felt; its code is fetched when they are first wanted. */
export function openSounds() {
  let wanted = false;
  let speaker: Speaker | null = null;

  /** Plays them from now on, or no more; `aloud` lets one be heard at once. Rejects where the code does not come, or the device plays nothing. */
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
