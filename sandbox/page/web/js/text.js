import { h } from './dom.js';

const tags = { bold: 'b', italic: 'i', underline: 'u', strikethrough: 's', code: 'code', pre: 'pre', blockquote: 'blockquote' };

/** webAddress is the address when it is a web address, else nothing. */
export function webAddress(text) {
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** formatted renders text with Bot API entities; offsets count UTF-16 units, as JavaScript's do. */
export function formatted(text, entities, { onlink, oncommand }) {
  const ends = new Set([0, text.length]);
  for (const e of entities ?? []) ends.add(e.offset).add(e.offset + e.length);
  const cuts = [...ends].filter((n) => n <= text.length).sort((a, b) => a - b);
  const box = h('span', { class: 'text' });
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [from, to] = [cuts[i], cuts[i + 1]];
    const around = (entities ?? []).filter((e) => e.offset <= from && e.offset + e.length >= to);
    let node = document.createTextNode(text.slice(from, to));
    for (const e of around.reverse()) node = wrap(e, node, text, onlink, oncommand);
    box.append(node);
  }
  return box;
}

function wrap(e, node, text, onlink, oncommand) {
  const words = text.slice(e.offset, e.offset + e.length);
  switch (e.type) {
    case 'url':
    case 'text_link': {
      const address = webAddress(e.url ?? words);
      if (!address) return node;
      return h('a', { href: address, rel: 'noopener noreferrer', target: '_blank', title: address, onclick: (ev) => { ev.preventDefault(); onlink(address); } }, node);
    }
    case 'bot_command':
      return h('button', { class: 'command', type: 'button', onclick: () => oncommand(words) }, node);
    case 'spoiler':
      return h('span', { class: 'spoiler', onclick: (ev) => ev.currentTarget.classList.toggle('open') }, node);
    default:
      return tags[e.type] ? h(tags[e.type], {}, node) : node;
  }
}
