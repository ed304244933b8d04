import { get, post } from './api.js';
import { h } from './dom.js';
import { sheet, toast } from './dialogs.js';
import { record } from './record.js';
import { payInvoice } from './stars.js';
import { webAddress } from './text.js';

/** openLink follows any link: t.me inside the phone, the rest in a new tab. */
export function openLink(phone, address) {
  const url = webAddress(address);
  if (!url) return toast(phone.root, 'This link cannot be opened here.');
  const { hostname, pathname, search } = new URL(url);
  if (hostname === 't.me' || hostname === 'telegram.me') return openTelegram(phone, pathname + search);
  window.open(url, '_blank', 'noopener');
}

/** openTelegram follows the path of a t.me link. */
export function openTelegram(phone, pathFull) {
  const url = new URL(pathFull, 'https://t.me');
  const [name, app] = url.pathname.split('/').filter(Boolean);
  const query = url.searchParams;
  if (!name) return;
  if (name.startsWith('$') || name === 'invoice') return payInvoice(phone, url.pathname);
  if (name === 'share' || name === 'msg') return share(phone, query.get('url') ?? '', query.get('text') ?? '');
  if (name.toLowerCase() === phone.info.bot_username.toLowerCase()) {
    if (app || query.has('startapp')) return phone.launch({ direct: '1', start_param: query.get('startapp') ?? '' });
    phone.app?.minimise();
    return phone.promptStart(query.get('start') ?? '');
  }
  if (name.startsWith('+') || name === 'joinchat') return toast(phone.root, 'Invite links lead nowhere in the sandbox.');
  return channel(phone, name);
}

async function share(phone, url, text) {
  record(phone.id, 'sandbox_share', { url, text });
  const others = (await get('people')).filter((p) => p.id !== phone.id);
  const send = async (to) => {
    close();
    record(phone.id, 'sandbox_shared', { url, text, to: to.id });
    await post(`chat/${phone.id}/share`, { to: to.id, url, text });
    toast(phone.root, `Sent to ${to.first_name}.`);
  };
  const close = sheet(phone.root, 'Share', [
    h('h3', {}, 'Share'), h('p', {}, [text, url].filter(Boolean).join('\n')),
    others.map((p) => h('button', { type: 'button', class: 'pick', onclick: () => send(p) },
      h('img', { src: `/avatar/${p.id}.svg`, alt: '' }), h('span', {}, [p.first_name, p.last_name].filter(Boolean).join(' ')))),
  ]);
}

async function channel(phone, name) {
  const at = `@${name}`;
  const member = `member?channel=${encodeURIComponent(at)}&user=${phone.id}`;
  const { status } = await get(member);
  const inside = !['left', 'kicked'].includes(status);
  const set = async (next) => {
    close();
    await post('member', { channel: at, user: phone.id, status: next });
    toast(phone.root, next === 'member' ? `You joined ${at}.` : `You left ${at}.`);
  };
  const close = sheet(phone.root, at, [
    h('h3', {}, at), h('p', {}, inside ? 'Channel · you are subscribed' : 'Channel · you are not subscribed'),
    inside
      ? h('button', { type: 'button', class: 'wide quiet', onclick: () => set('left') }, 'Leave channel')
      : h('button', { type: 'button', class: 'wide', onclick: () => set('member') }, 'Join'),
  ]);
}
