import { haptics } from '../telegram';

let wanted = false;

/**
 * Lets what is felt be heard too, or no more. Its code is fetched when it is first wanted; rejects where that does not come, or
 * where the device plays nothing.
 */
export async function playSounds(on: boolean): Promise<void> {
  wanted = on;
  if (!on) {
    haptics.tell(null);
    return;
  }
  const { speaker } = await import('./speaker');
  const play = speaker();
  if (wanted) haptics.tell(play);
}
