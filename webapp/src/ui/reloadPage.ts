import { session } from '../storage';
import { reload } from '../telegram';

/**
 * Opens the page anew: a newer program may not have a part of this one any more, and its own page knows where it is. Taps
 * are kept on the device. Only where the server answers, or the player would be left with the browser's error.
 */
export async function reloadPage(): Promise<void> {
  if (await answers()) reload();
}

/** Nobody pressed anything, and it may not help: once a visit, or the page would be opened for ever. Whether it is opened anew. */
export async function reloadPageOnce(): Promise<boolean> {
  if (session.get('reopened') || !(await answers())) return false;
  const isNoted = session.set('reopened', 'yes'); // else nothing would stop the next one
  if (isNoted) reload();
  return isNoted;
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(window.location.href, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
