// Every Mini Apps event, for tests to look at: window.__events.
window.__events = [];

/** record keeps one event an app sent from the player's phone. */
export function record(player, eventType, eventData) {
  window.__events.push({ player, eventType, eventData });
  if (window.__events.length > 2000) window.__events.splice(0, 1000);
}
