// The desk: everyone's phone, the time, and mcbk.
import { get, listen, post } from './api.js';
import { h, icon, replace } from './dom.js';
import { Phone } from './phone.js';
import { inStars } from './stars.js';

const $ = (id) => document.getElementById(id);
const info = await get('info');
const unread = new Set();
let people = [];
$('bot').textContent = `t.me/${info.bot_username}`;
$('link').elements.link.value = `t.me/${info.bot_username}?start=`;
let phone = null;
let clock = { offset_ms: 0 };

const full = (p) => [p.first_name, p.last_name].filter(Boolean).join(' ');

// People.

function drawPeople() {
  replace($('people'), people.map((p) => h('li', {},
    h('button', { type: 'button', class: 'person', 'aria-current': phone?.id === p.id ? 'true' : 'false', onclick: () => show(p.id) },
      h('img', { src: `/avatar/${p.id}.svg`, alt: '' }),
      h('span', { class: 'who' },
        h('span', { class: 'name' }, h('span', {}, full(p)),
          p.is_admin ? h('span', { class: 'badge admin' }, 'admin') : null,
          p.is_premium ? h('span', { class: 'badge premium' }, 'premium') : null,
          p.language_code !== 'en' ? h('span', { class: 'badge lang' }, p.language_code.slice(0, 2)) : null),
        h('span', { class: 'sub' }, p.username ? `@${p.username}` : String(p.id))),
      unread.has(p.id) ? h('span', { class: 'dot', title: 'Something new' }) : null),
    h('a', { class: 'alone-link', href: `/phone/${p.id}`, target: '_blank', title: 'This phone alone', 'aria-label': `${full(p)}: phone alone` }, icon('out')))));
}

async function readPeople() {
  people = await get('people');
  drawPeople();
}

function show(id) {
  if (phone?.id !== id) {
    phone?.leave();
    phone = new Phone($('phone'), id, info);
    window.__phone = phone;
    localStorage.setItem('player', id);
  }
  unread.delete(id);
  drawPeople();
  readStars();
}

$('new-player').addEventListener('submit', async (e) => {
  e.preventDefault();
  const { premium, ru } = e.target.elements;
  const p = await post('people', { is_premium: premium.checked, language_code: ru.checked ? 'ru' : 'en' });
  await readPeople();
  show(p.id);
});

$('link').addEventListener('submit', (e) => {
  e.preventDefault();
  const address = e.target.elements.link.value.trim();
  if (address) phone.open(address);
});

// Time.

function drawClock() {
  const now = new Date(Date.now() + clock.offset_ms);
  $('time').textContent = now.toISOString().slice(11, 19);
  const ahead = Math.round(clock.offset_ms / 60000);
  const size = Math.abs(ahead);
  const words = [[1440, 'd'], [60, 'h'], [1, 'min']].reduce(([left, out], [unit, name]) => [left % unit, left >= unit ? [...out, `${Math.floor(left / unit)} ${name}`] : out], [size, []])[1];
  replace($('date'), `${now.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })}, UTC`,
    ahead ? h('b', {}, `${ahead < 0 ? '−' : '+'}${words.join(' ')}`) : null);
}

async function readClock() {
  clock = await get('clock');
  drawClock();
}

$('clock').addEventListener('click', async (e) => {
  const change = e.target.closest('[data-clock]')?.dataset.clock;
  if (!change) return;
  clock = await post('clock', JSON.parse(change));
  drawClock();
});
setInterval(drawClock, 1000);

// Prices.

let rates;

async function readRates() {
  rates = await get('rates');
  $('rates').elements.usd.value = rates.usd;
  $('break-rates').textContent = rates.broken ? 'Mend the price service' : 'Break the price service';
}

$('rates').addEventListener('submit', (e) => {
  e.preventDefault();
  post('rates', { usd: Number(e.target.elements.usd.value), broken: rates.broken });
});
$('break-rates').addEventListener('click', () => post('rates', { broken: !rates.broken }));

// Stars of the phone shown.

let starsTimer;

async function readStars() {
  const { players, payments } = await get('stars');
  const own = players.find((p) => p.player === phone.id);
  if (own) replace($('purse'), inStars(own.stars));
  replace($('payments'), payments.filter((p) => p.player === phone.id).slice(0, 2).map((p) => h('li', {},
    h('span', {}, h('b', {}, inStars(p.amount)), h('span', { class: 'sub' }, ` ${p.invoice_payload}`)),
    p.refunded
      ? h('span', { class: 'sub' }, 'refunded')
      : h('button', { type: 'button', class: 'button', onclick: () => post('stars/refund', { charge: p.telegram_payment_charge_id }) }, 'Refund'))));
}

/** A drill changes balances many times a second. */
function readStarsSoon() {
  starsTimer ??= setTimeout(() => { starsTimer = undefined; readStars(); }, 200);
}

$('stars').addEventListener('submit', async (e) => {
  e.preventDefault();
  await post(`stars/${phone.id}`, { [e.submitter.value]: Number(e.target.elements.amount.value) }).catch((error) => addLine(`sandbox: ${error.message}`));
});

// Ads.

const ends = { watch: 'watched', early: 'closed early', none: 'no ad', late: 'late callback', twice: 'called back twice' };

async function readAds() {
  const list = await get('ads');
  $('ads').hidden = list.length === 0;
  replace($('ad-list'), list.slice(0, 4).map((ad) => h('li', {},
    h('span', {}, h('b', {}, full(people.find((p) => p.id === ad.player) ?? { first_name: String(ad.player) })), ` ${ends[ad.outcome]}`,
      ad.callbacks.length ? h('span', { class: 'sub' }, ` → ${ad.callbacks.join(', ')}`) : null),
    ad.held ? h('button', { type: 'button', class: 'button', onclick: () => post(`ads/${ad.id}/callback`) }, 'Call back now') : null)));
}

// mcbk.

const words = {
  none: 'not run by the sandbox', stopped: 'stopped', starting: 'starting…', ready: 'running', stopping: 'stopping…', crashed: 'crashed',
};

/** The text log of slog: time, level, message, the rest. */
const slog = /^time=\S+T(\d\d:\d\d:\d\d)\S* level=(\w+)\S* msg=("(?:[^"\\]|\\.)*"|\S+)(.*)$/;

function line(text) {
  const parts = slog.exec(text);
  if (parts) {
    const [, at, level, message, rest] = parts;
    return h('p', { class: level.toLowerCase(), title: text }, h('time', {}, at), ' ', h('b', {}, unquote(message)), h('span', {}, rest));
  }
  const level = /\blevel=(\w+)/i.exec(text)?.[1].toLowerCase() ?? (/^panic|\bERR(OR)?\b/.test(text) ? 'error' : /\bWARN/.test(text) ? 'warn' : text.startsWith('sandbox:') ? 'own' : '');
  return h('p', { class: level }, text);
}

function unquote(message) {
  try {
    return message.startsWith('"') ? JSON.parse(message) : message;
  } catch {
    return message; // Go escapes a few things JSON does not know
  }
}

function addLine(text) {
  const log = $('log');
  const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  log.append(line(text));
  if (log.children.length > 600) log.firstChild.remove();
  if (atEnd) log.scrollTop = log.scrollHeight;
}

async function readChild(withLog) {
  const s = await get('mcbk');
  $('state').dataset.state = s.state;
  $('state').textContent = words[s.state] + (s.pid ? `, pid ${s.pid}` : '');
  $('exit').hidden = s.state !== 'crashed';
  $('exit').textContent = `mcbk ended by itself: ${s.exit}. Its last words are below.`;
  const running = ['starting', 'ready', 'stopping'].includes(s.state);
  for (const b of $('mcbk').children) b.disabled = s.state === 'none' || (b.dataset.do === 'start' ? running : !running);
  if (withLog) {
    replace($('log'), s.log.map(line));
    $('log').scrollTop = $('log').scrollHeight;
  }
}

$('mcbk').addEventListener('click', async (e) => {
  const action = e.target.closest('[data-do]')?.dataset.do;
  if (!action) return;
  e.target.disabled = true;
  await post(`mcbk/${action}`).catch((error) => addLine(`sandbox: ${error.message}`));
  readChild(false);
});

// The frame shrinks on a low screen; inside it stays 390 by 844.
function fit() {
  const room = Math.min(1, (window.innerHeight - 24) / 866, (window.innerWidth - 20) / 412);
  $('stand').style.setProperty('--fit', room);
}
window.addEventListener('resize', fit);
fit();

await readPeople();
const last = Number(localStorage.getItem('player'));
show(people.some((p) => p.id === last) ? last : people[0].id);

listen((e) => {
  if (e.kind === 'hello') { readPeople(); readClock(); readChild(true); readAds(); readRates(); readStars(); }
  if (e.kind === 'people') readPeople();
  if (e.kind === 'clock') readClock();
  if (e.kind === 'ads') readAds();
  if (e.kind === 'rates') readRates();
  if (e.kind === 'stars') readStarsSoon();
  if (e.kind === 'mcbk') readChild(false);
  if (e.kind === 'log') addLine(e.detail);
  if ((e.kind === 'chat' || e.kind === 'shared') && e.player !== phone.id && !unread.has(e.player)) {
    unread.add(e.player);
    drawPeople();
  }
});
