/** The calls that a page which is going away may make. */
export type UnloadPath = '/tap/perform-batch-tap' | '/mines/mine';

/**
 * Sends a batch from a page that is going away. A beacon could not carry the launch data in a header. Where requests do not
 * outlive their page, a synchronous one holds the page until the batch is out.
 */
export function flushOnUnload(path: UnloadPath, batch: object, initData: string): void {
  if (initData === '') return;
  const url = `/api${path}`;
  const headers = { Authorization: `tma ${initData}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify(batch);
  try {
    if ('keepalive' in Request.prototype) {
      // The batch is on the device, and the next page sends what did not arrive.
      fetch(url, { method: 'POST', headers, body, keepalive: true }).catch(() => undefined);
      return;
    }
    const request = new XMLHttpRequest();
    request.open('POST', url, false);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
  } catch {
    // As above.
  }
}
