/** The library's buttons that lead to the wallet app again: Retry, and the code for another device. A link to get the app is none. */
const leads = '[data-tc-wallets-modal-connection-mobile] :not(a) > [data-tc-button]';

const widgetRoot = () => document.querySelector<HTMLElement>('#tc-widget-root');

/**
 * On a phone the library's window goes on waiting for who has said no, though it has words for that. `widget.css` has it say
 * these instead, until one of its buttons makes it wait again.
 */
export function showDeclined(words: string): void {
  const root = widgetRoot();
  if (!root) return;
  root.style.setProperty('--declined', JSON.stringify(words));
  root.dataset.declined = '';
  root.addEventListener('click', onClick); // the same function is added once
}

export function showWaiting(): void {
  delete widgetRoot()?.dataset.declined;
}

function onClick({ target }: Event): void {
  if (target instanceof Element && target.closest(leads)) showWaiting();
}
