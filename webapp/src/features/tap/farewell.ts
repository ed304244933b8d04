/** The calls that a beacon may make. */
export type Farewell = '/tap/perform-batch-tap' | '/mines/mine';

/**
 * Sends a batch from a page that is going away. A beacon carries no headers, so on these routes alone the launch data
 * may come in the query (api/openapi.yaml). Where beacons are missing or full, a synchronous request holds the page until
 * the batch is out.
 */
export function sayFarewell(path: Farewell, batch: object, initData: string): void {
  if (initData === '') return;
  const url = `/api${path}?init_data=${encodeURIComponent(initData)}`;
  const body = JSON.stringify(batch);
  try {
    if (navigator.sendBeacon(url, new Blob([body], { type: 'text/plain' }))) return;
  } catch {
    // No beacons here.
  }
  try {
    const request = new XMLHttpRequest();
    request.open('POST', url, false);
    request.setRequestHeader('Content-Type', 'text/plain');
    request.send(body);
  } catch {
    // The batch is on the device and will be sent by the next page.
  }
}
