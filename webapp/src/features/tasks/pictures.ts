import type { Task } from '../../api/types';
import clapper from '../../art/clapper-board.svg';
import crystal from '../../art/crystal-ball.svg';
import handshake from '../../art/handshake.svg';
import bolt from '../../art/high-voltage.svg';
import megaphone from '../../art/megaphone.svg';
import bag from '../../art/money-bag.svg';
import spin from '../../art/spin.svg';
import gift from '../../art/wrapped-gift.svg';

/** Spec §2: six pictures take turns. In the order of the daily tasks each meets its own. */
const rotation = [spin, bag, clapper, crystal, gift, bolt] as const;

/** Pictures that the server may name. */
const named: Readonly<Record<string, string>> = { handshake, megaphone };

/** The picture of the task at that place of the server's list. */
export function picture(task: Task, place: number): string {
  if (task.image_url.startsWith('https://')) return task.image_url;
  return named[task.image] ?? rotation[place % rotation.length] ?? gift;
}
