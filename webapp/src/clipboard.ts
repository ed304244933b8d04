/** Puts a text where the player can paste it from; false if the browser does not let us. Called in the turn of a press. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A frame may not, and an old client does not know how.
    return copyMarked(text);
  }
}

/** The way from before there was an API: what is marked on the page is copied. */
function copyMarked(text: string): boolean {
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true; // keeps the keyboard closed
  area.style.cssText = 'position: fixed; opacity: 0';
  document.body.append(area);
  area.focus({ preventScroll: true });
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  }
}
