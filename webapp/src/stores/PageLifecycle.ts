/** `foreground`: the page is shown again. `background`: it is hidden or unloaded; some browsers fire both. */
type PageEvent = 'foreground' | 'background' | 'online' | 'focus';

const listeners: Readonly<Record<PageEvent, Set<() => void>>> = {
  foreground: new Set(),
  background: new Set(),
  online: new Set(),
  focus: new Set(),
};

function emit(event: PageEvent): void {
  for (const listener of [...listeners[event]]) listener();
}

document.addEventListener('visibilitychange', () => emit(isVisible() ? 'foreground' : 'background'));
window.addEventListener('pagehide', () => emit('background'));
window.addEventListener('online', () => emit('online'));
window.addEventListener('focus', () => emit('focus'));

/** The page is shown. What is only to be seen is not fetched while it is not, but as soon as it is again. */
export function isVisible(): boolean {
  return document.visibilityState !== 'hidden';
}

/** Calls the listener at each such event, until what is returned is called. */
export function onPage(event: PageEvent, listener: () => void): () => void {
  listeners[event].add(listener);
  return () => void listeners[event].delete(listener);
}
