// The wallet app: what connect links open (/wallet?v=2&id=…&r=…&ret=…), and where payments that apps ask for are approved.
import { get, listen, post } from './api.js';
import { h, replace } from './dom.js';

const $ = (id) => document.getElementById(id);
const query = () => new URLSearchParams(location.search);

let people = [];
let owner = 0;
let wallet;
let question; // what the link of this page asks, until it is answered
let clock = { offset_ms: 0 };
let busy = false;

const ton = (nanotons, digits = 9) => `${(nanotons / 1e9).toLocaleString('en', { maximumFractionDigits: digits })} TON`;
const full = (p) => [p.first_name, p.last_name].filter(Boolean).join(' ');

function host(url) {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}

function say(text, kind = '') {
  $('said').className = `said ${kind}`;
  $('said').textContent = text;
}

/** act does one thing at a time and says how it went; `done` makes the words of its answer. */
async function act(path, body, done) {
  if (busy) return;
  busy = true;
  draw();
  try {
    const [text, kind] = done(await post(`wallet/${owner}/${path}`, body));
    say(text, kind);
  } catch (error) {
    say(error.message, 'failed');
  }
  busy = false;
  await readOrSay();
}

// What the wallet is asked.

function app(manifest, ...more) {
  return h('div', { class: 'app' }, h('img', { src: manifest.iconUrl, alt: '' }), h('div', {}, h('b', {}, manifest.name), h('span', {}, host(manifest.url))), more);
}

const button = (label, main, onclick, off) => h('button', { type: 'button', class: main ? 'button main' : 'button', disabled: busy || off, onclick }, label);

/** answered forgets the link, so that a reload does not ask again. */
function answered(words, kind) {
  question = undefined;
  history.replaceState(null, '', '/wallet');
  return [words, kind];
}

const wants = { ton_addr: 'to see your address and balance', ton_proof: 'a signature that the address is yours' };

function connectCard() {
  const link = location.href;
  return h('section', { class: 'card ask', 'aria-label': 'Connect' },
    app(question.app),
    h('p', { class: 'hint' }, 'This app wants'),
    h('ul', { class: 'wants' }, question.items.map((item) => h('li', {}, wants[item] ?? item))),
    h('div', { class: 'ways' },
      button('Decline', false, () => act('connect', { link, decline: true }, () => answered('Declined. You can go back to the app.'))),
      button('Connect', true, () => act('connect', { link }, () => answered('Connected. You can go back to the app.', 'sent')))));
}

function until(request) {
  if (!request.valid_until) return { text: 'always', late: false };
  const at = new Date(request.valid_until * 1000).toISOString();
  const late = Date.now() + clock.offset_ms >= request.valid_until * 1000;
  return { text: `${at.slice(0, 10)} ${at.slice(11, 19)} UTC${late ? '\nToo late' : ''}`, late };
}

const payload = (message) => (message.call ? 'a call of a contract' : message.comment || 'none');

function requestCard(request) {
  const { text, late } = until(request);
  const sum = request.messages.reduce((total, message) => total + message.nanotons, 0);
  const paid = ({ moved }) => (moved ? [`Sent ${ton(sum)}. You can go back to the app.`, 'sent'] : ['Signed, but the wallet had too little: not everything has moved.', 'failed']);
  return h('section', { class: 'card ask', 'aria-label': 'Payment' },
    app(request.app),
    request.messages.map((message) => [
      h('p', { class: 'amount' }, ton(message.nanotons)),
      h('dl', {}, h('dt', {}, 'To'), h('dd', { class: 'address' }, message.to), h('dt', {}, 'Comment'), h('dd', {}, payload(message)))]),
    h('dl', { class: 'limit' }, h('dt', {}, 'Valid until'), h('dd', { class: late ? 'late' : undefined }, text)),
    sum >= wallet.balance ? h('p', { class: 'exit' }, 'There is too little TON in this wallet. It signs all the same, and not everything moves.') : null,
    h('div', { class: 'ways' },
      button('Decline', false, () => act('decline', { request: request.id }, () => ['Declined. You can go back to the app.'])),
      button('Approve', true, () => act('approve', { request: request.id }, paid))));
}

// The rest of the page.

function drawOwners() {
  replace($('owner'), people.map((p) => h('option', { value: p.id, selected: p.id === owner }, full(p))));
}

function draw() {
  if (!wallet) return;
  $('balance').textContent = ton(wallet.balance, 4);
  $('address').textContent = wallet.address;
  replace($('asked'), question ? connectCard() : null, wallet.requests.map(requestCard));
  replace($('apps'), wallet.apps.map((one) => h('li', {}, app(one.app, h('button', {
    type: 'button', class: 'button danger', disabled: busy, onclick: () => act('disconnect', { client: one.client }, () => [`${one.app.name} is disconnected.`]),
  }, 'Disconnect')))));
}

async function readBridge() {
  const { offline } = await get('bridge');
  $('bridge').dataset.state = offline ? 'offline' : 'ready';
  $('bridge').textContent = offline ? 'The bridge is offline' : 'The bridge is online';
  $('cut').textContent = offline ? 'Bring online' : 'Take offline';
  $('cut').disabled = false;
}

async function read() {
  people = await get('people');
  if (!people.some((p) => p.id === owner)) owner = people[0].id;
  drawOwners();
  [wallet, clock] = await Promise.all([get(`wallet/${owner}`), get('clock'), readBridge()]);
  draw();
}

const readOrSay = () => read().catch((error) => say(error.message, 'failed'));

/** open finds out what the page's link asks, and of whom: whose app it is, or whose phone was open last. */
async function open() {
  const q = query();
  owner = Number(q.get('player')) || Number(localStorage.getItem('player'));
  const link = q.has('r') ? `&link=${encodeURIComponent(location.href)}` : '';
  const about = await get(`wallet?client=${encodeURIComponent(q.get('id') ?? '')}${link}`);
  question = about.app && about;
  if (about.player && !q.has('player')) owner = about.player;
  await read();
}

$('owner').addEventListener('change', (e) => {
  owner = Number(e.target.value);
  say('');
  readOrSay();
});
$('paste').addEventListener('submit', (e) => {
  e.preventDefault();
  const text = e.target.elements.link.value;
  const at = text.indexOf('?');
  location.assign(`/wallet${at < 0 ? '' : text.slice(at)}&player=${owner}`);
});
$('cut').addEventListener('click', () => post('bridge', { offline: $('bridge').dataset.state !== 'offline' }).catch((error) => say(error.message, 'failed')));

await open().catch((error) => {
  say(error.message, 'failed');
  return readOrSay();
});
listen((e) => {
  if (['hello', 'people', 'clock', 'bridge'].includes(e.kind) || (e.kind === 'wallet' && e.player === owner)) readOrSay();
});
