/** The calls made while the page unloads. */
export type UnloadPath = '/tap/perform-batch-tap' | '/mines/mine';

/**
 * Sends a batch while the page unloads. `sendBeacon` cannot set the header with the launch data. Without `keepalive`, a
 * synchronous request holds the page until the batch is sent.
 */
export function flushOnUnload(path: UnloadPath, batch: object, initData: string): void {
  if (initData === '') return;
  const url = `/api${path}`;
  const headers = { Authorization: `tma ${initData}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify(batch);
  try {
    if ('keepalive' in Request.prototype) {
      // The batch is stored on the device: the next page sends it if it did not arrive.
      fetch(url, { method: 'POST', headers, body, keepalive: true }).catch(() => undefined);
      return;
    }
    const request = new XMLHttpRequest();
    request.open('POST', url, false);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
  } catch {
    // As with `fetch`.
  }
}
