// The sandbox's own API and its stream of events.

async function call(method, path, body) {
  const answer = await fetch(`/sandbox/${path}`, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.error);
  return result;
}

export const get = (path) => call('GET', path);
export const post = (path, body = {}) => call('POST', path, body);

const listeners = new Set();
let source;

function open() {
  source?.close();
  source = new EventSource('/sandbox/events');
  // Whatever was missed while away is read afresh.
  source.onopen = () => tell({ kind: 'hello' });
  source.onmessage = (e) => tell(JSON.parse(e.data));
}

function tell(event) {
  for (const l of [...listeners]) l(event);
}

// A browser allows six streams for one address; a hidden tab gives its back.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') open();
  else source?.close();
});

/**
 * listen calls back with each event:
 * hello (connected: read everything) · chat {player} · bot · people · clock ·
 * mcbk · ads · rates · wallet {player} · bridge · log {detail: line} · action {player, detail} · answer {player, detail} ·
 * shared {player, detail}. It returns a function to stop.
 */
export function listen(callback) {
  listeners.add(callback);
  if (!source) open();
  return () => listeners.delete(callback);
}
