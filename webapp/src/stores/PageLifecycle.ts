/** `foreground`: the page is shown again. `background`: it is hidden or unloaded; some browsers fire both. */
type PageEvent = 'foreground' | 'background' | 'online' | 'focus';

const page = new EventTarget();
const emit = (event: PageEvent) => page.dispatchEvent(new Event(event));

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
  page.addEventListener(event, listener);
  return () => page.removeEventListener(event, listener);
}
