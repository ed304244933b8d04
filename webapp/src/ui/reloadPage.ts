import { session } from '../storage';
import { reload } from '../telegram';

/**
 * Opens the page anew: a newer program may not have a part of this one any more, and its own page knows where it is. Taps
 * are kept on the device. Only where the server answers, or the player would be left with the browser's error.
 */
export async function reloadPage(): Promise<void> {
  if (await answers()) reload();
}

/** Nobody pressed anything, and it may not help: once a visit, or the page would be opened for ever. */
export async function reloadPageOnce(): Promise<void> {
  if (session.get('reopened') || !(await answers())) return;
  if (session.set('reopened', 'yes')) reload(); // else nothing would stop the next one
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(window.location.href, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
