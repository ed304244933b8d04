import type { Launch } from './launch';
import { openShell } from './shell';

export { type HapticKind as Felt, haptics } from './haptics';
export { type InvoiceStatus, openInvoice } from './invoice';
export type { Launch } from './launch';
export { readLaunch, reload } from './launch';
export { openPage } from './links';
export { backButton, closeApp, confirmClosing, requestWriteAccess } from './shell';

/** Starts Telegram's side of an app that it has opened. Never rejects. */
export async function startTelegram(launch: Launch): Promise<void> {
  if (launch.is === 'telegram') await openShell(launch.version);
}
