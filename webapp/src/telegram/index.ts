import { type Launch, readLaunch } from './launch';
import { openShell } from './shell';

export { haptics } from './haptics';
export type { Launch } from './launch';
export { openPage } from './links';
export { askToWrite, backButton, closer, confirmClosing } from './shell';

/** Starts Telegram's side of the app and tells how it was opened. Never rejects. */
export async function startTelegram(): Promise<Launch> {
  const launch = readLaunch();
  if (launch.is === 'telegram') await openShell();
  return launch;
}
