import { h, icon } from './dom.js';
import { openLink } from './links.js';
import { formatted, webAddress } from './text.js';

const time = (m) => new Date(m.date * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** dayOf names the day a message was sent. */
export const dayOf = (m) => new Date(m.date * 1000).toLocaleDateString('en-US', { month: 'long', day: 'numeric', year: 'numeric' });

/** sameAuthor says whether two neighbours belong to one group of bubbles. */
export const sameAuthor = (a, b) => Boolean(a && b) && a.from.id === b.from.id && b.date - a.date < 600 && dayOf(a) === dayOf(b) && !a.reply_markup;

/** bubble draws one message with its keyboard. */
export function bubble(phone, m, { first, last }) {
  const mine = !m.from.is_bot;
  const keys = m.reply_markup?.inline_keyboard;
  const says = m.text ?? m.caption;
  const photo = m.photo?.at(-1);
  const text = says
    ? formatted(says, m.entities ?? m.caption_entities, { onlink: (url) => openLink(phone, url), oncommand: (c) => phone.say(c) })
    : null;
  const meta = h('span', { class: 'meta' }, m.edit_date ? 'edited ' : null, time(m), mine ? icon('read') : null);
  const quote = m.reply_to_message
    ? h('span', { class: 'quote' }, h('b', {}, m.reply_to_message.from.first_name), h('span', {}, m.reply_to_message.text || m.reply_to_message.caption || 'Photo'))
    : null;
  const box = h('div', { class: `bubble${photo ? ' picture' : ''}${photo && !says ? ' bare' : ''}` }, quote, photo ? [picture(phone, photo), h('div', { class: 'caption' }, text, meta)] : [text, meta]);
  const classes = ['row', mine && 'me', first && 'first', last && 'last', keys && 'keys'].filter(Boolean).join(' ');
  return h('div', { class: classes, 'data-message-id': m.message_id, ondblclick: () => phone.reply(m) },
    box,
    keys ? h('div', { class: 'inline' }, keys.map((row) => h('div', {}, row.map((b) => key(phone, m, b))))) : null,
    h('button', { type: 'button', class: 'round answer', 'aria-label': 'Reply', onclick: () => phone.reply(m) }, icon('reply')));
}

function picture(phone, photo) {
  const src = /^https?:/.test(photo.file_id) ? webAddress(photo.file_id) : `/sandbox/file/${encodeURIComponent(photo.file_id)}`;
  return h('img', { src, alt: 'Photo', width: photo.width, height: photo.height, style: `aspect-ratio:${photo.width}/${photo.height};height:auto` });
}

function key(phone, m, b) {
  const mark = b.web_app ? icon('window') : b.url ? icon('out') : null;
  mark?.setAttribute('class', 'kind');
  return h('button', { type: 'button', onclick: (e) => phone.press(m, b, e.currentTarget) }, b.text, mark);
}
