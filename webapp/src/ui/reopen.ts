/**
 * Opens the page anew: a newer program may not have a part of this one any more, and its own page knows where it is. Taps
 * are kept on the device. Only where the server answers, or the player would be left with the browser's error.
 */
export async function reopen(): Promise<void> {
  if (await answers()) window.location.reload();
}

/** Nobody pressed anything, and it may not help: once a visit, or the page would be opened for ever. */
export async function reopenOnce(): Promise<void> {
  try {
    if (sessionStorage.getItem('reopened') || !(await answers())) return;
    sessionStorage.setItem('reopened', 'yes');
  } catch {
    return; // nothing would stop the next one
  }
  window.location.reload();
}

async function answers(): Promise<boolean> {
  try {
    return (await fetch(window.location.href, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
