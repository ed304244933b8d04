// The sandbox's own API and its stream of events.

async function call(method, path, body) {
  const answer = await fetch(`/sandbox/${path}`, {
    method,
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(result.message);
  return result;
}

export const get = (path) => call('GET', path);
export const post = (path, body = {}) => call('POST', path, body);

const listeners = new Set();
let channel;

// A browser allows six connections to one address: the page that holds the lock has the stream, and tells the others.
function open() {
  channel = new BroadcastChannel('events');
  channel.onmessage = (e) => tell(e.data);
  const share = (event) => {
    tell(event);
    channel.postMessage(event);
  };
  void navigator.locks.request('events', () => {
    const source = new EventSource('/sandbox/events');
    // Whatever was missed while away is read afresh.
    source.onopen = () => share({ kind: 'hello' });
    source.onmessage = (e) => share(JSON.parse(e.data));
    return new Promise(() => {}); // until the page goes
  });
  tell({ kind: 'hello' }); // who has no stream opens none
}

function tell(event) {
  for (const l of [...listeners]) l(event);
}

document.addEventListener('visibilitychange', () => {
  if (channel && document.visibilityState === 'visible') tell({ kind: 'hello' });
});

/**
 * listen calls back with each event:
 * hello (connected: read everything) · chat {player} · bot · people · clock ·
 * mcbk · ads · rates · stars {player} · wallet {player} · bridge · log {detail: line} · action {player, detail} · answer {player, detail} ·
 * shared {player, detail}. It returns a function to stop.
 */
export function listen(callback) {
  listeners.add(callback);
  if (!channel) open();
  return () => listeners.delete(callback);
}
