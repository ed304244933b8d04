import { h } from './dom.js';

const usual = { ok: 'OK', close: 'Close', cancel: 'Cancel' };

/**
 * ask shows a dialog in the phone and resolves with the id of the pressed
 * button, or undefined when it was dismissed.
 */
export function ask(root, { title, message, buttons }) {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const end = (id) => {
      layer.remove();
      document.removeEventListener('keydown', onkey, true);
      before?.focus?.();
      resolve(id);
    };
    const onkey = (e) => {
      if (e.key === 'Escape') { e.stopPropagation(); end(undefined); }
      if (e.key === 'Tab') keepFocus(e, layer);
    };
    const actions = buttons.map((b) => h('button', { type: 'button', class: b.type === 'destructive' ? 'destructive' : null, onclick: () => end(b.id ?? '') }, b.text || usual[b.type] || 'OK'));
    const layer = h('div', { class: 'layer', onclick: (e) => e.target === layer && end(undefined) },
      h('div', { class: 'dialog', role: 'alertdialog', 'aria-modal': 'true', 'aria-label': title || message },
        title ? h('h3', {}, title) : null, h('p', {}, message), h('div', { class: 'actions' }, actions)));
    root.append(layer);
    document.addEventListener('keydown', onkey, true);
    actions.at(-1)?.focus();
  });
}

function keepFocus(e, layer) {
  const all = [...layer.querySelectorAll('button')];
  const next = all[(all.indexOf(document.activeElement) + (e.shiftKey ? -1 : 1) + all.length) % all.length];
  e.preventDefault();
  next?.focus();
}

/** sheet shows content from the bottom edge and returns a function to close it; dismiss is called instead when the player would close it. */
export function sheet(root, label, content, dismiss = () => close()) {
  const close = () => {
    layer.remove();
    document.removeEventListener('keydown', onkey, true);
  };
  const onkey = (e) => {
    if (e.key === 'Escape') { e.stopPropagation(); dismiss(); }
  };
  const layer = h('div', { class: 'layer bottom', onclick: (e) => e.target === layer && dismiss() },
    h('div', { class: 'sheet', role: 'dialog', 'aria-modal': 'true', 'aria-label': label }, content));
  root.append(layer);
  document.addEventListener('keydown', onkey, true);
  return close;
}

/** choose shows a small menu in the corner; choices are [text, action, destructive]. */
export function choose(root, choices) {
  const layer = h('div', { class: 'layer clear', onclick: () => layer.remove() },
    h('div', { class: 'more', role: 'menu' }, choices.map(([text, act, destructive]) =>
      h('button', { type: 'button', role: 'menuitem', class: destructive ? 'destructive' : null, onclick: act }, text))));
  root.append(layer);
  layer.querySelector('button').focus();
}

/** toast shows a short notice for a while. */
export function toast(root, text, ms = 3500) {
  let box = root.querySelector(':scope > .toasts');
  if (!box) root.append(box = h('div', { class: 'toasts', role: 'status' }));
  const note = h('div', { class: 'toast' }, text);
  box.append(note);
  setTimeout(() => note.remove(), ms);
}
