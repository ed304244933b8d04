// A pretend wallet, opened by a payment link of the game:
// /transfer/<address>?amount=<nanotons>&text=<comment>&exp=<unix seconds>.
import { get, listen, post } from './api.js';
import { h, replace } from './dom.js';

const $ = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const link = {
  to: location.pathname.slice('/transfer/'.length),
  // Fifteen digits are a million TON, and their double still fits a number.
  nanotons: /^[1-9]\d{0,14}$/.test(query.get('amount') ?? '') ? Number(query.get('amount')) : 0,
  comment: query.get('text') ?? '',
  until: /^\d{1,12}$/.test(query.get('exp') ?? '') ? Number(query.get('exp')) * 1000 : undefined,
};

/** What each button pays; every field left out is as the link asks. */
const ways = {
  asked: {},
  half: { nanotons: Math.floor(link.nanotons / 2) },
  double: { nanotons: link.nanotons * 2 },
  mute: { comment: '' },
  again: { times: 2 },
};

let people = [];
let wallets = [];
let clock = { offset_ms: 0 };
let busy = false;

const ton = (nanotons, digits = 9) => `${(nanotons / 1e9).toLocaleString('en', { maximumFractionDigits: digits })} TON`;
const balance = (player) => wallets.find((w) => w.player === player)?.balance ?? 0;

/** account is what an address names, without its flags and checksum: one wallet has several addresses. */
function account(address) {
  try {
    return atob(address.replaceAll('-', '+').replaceAll('_', '/')).slice(1, 34);
  } catch {
    return address;
  }
}

function say(text, kind = '') {
  $('said').className = `said ${kind}`;
  $('said').textContent = text;
}

function drawLink() {
  $('amount').textContent = link.nanotons ? ton(link.nanotons) : 'The link names no amount';
  $('to').textContent = link.to;
  $('comment').textContent = link.comment || 'none';
}

function drawUntil() {
  if (link.until === undefined) {
    $('until').textContent = 'always';
    return;
  }
  const late = Date.now() + clock.offset_ms >= link.until;
  const at = new Date(link.until).toISOString();
  $('until').textContent = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC${late ? '\nToo late: a real wallet would refuse, this one pays.' : ''}`;
  $('until').classList.toggle('late', late);
}

function drawPayers() {
  const chosen = $('payer').value;
  replace($('payer'), people.map((p) => h('option', { value: p.id, selected: String(p.id) === chosen },
    `${[p.first_name, p.last_name].filter(Boolean).join(' ')}, ${ton(balance(p.id), 2)}`)));
}

function drawButtons() {
  for (const b of $('ways').children) b.disabled = busy || !link.nanotons || !people.length;
}

async function read() {
  const [everyone, chain, time] = await Promise.all([get('people'), get('chain'), get('clock')]);
  people = everyone;
  wallets = chain.wallets;
  clock = time;
  $('other').hidden = account(link.to) === account(chain.treasury);
  drawUntil();
  drawPayers();
  drawButtons();
}

const readOrSay = () => read().catch((error) => say(error.message, 'failed'));

$('ways').addEventListener('click', async (e) => {
  const way = ways[e.target.closest('[data-way]')?.dataset.way];
  if (!way) return;
  const order = { player: Number($('payer').value), to: link.to, nanotons: link.nanotons, comment: link.comment, times: 1, ...way };
  order.body = order.comment ? 'comment' : 'none';
  // The chain takes such a transfer and moves nothing.
  if (order.nanotons * order.times >= balance(order.player)) return say('Not enough TON in this wallet.', 'failed');
  busy = true;
  drawButtons();
  say('Sending…');
  try {
    await post('chain/pay', order);
    say(`Sent ${order.times > 1 ? 'twice ' : ''}${ton(order.nanotons)} ${order.comment ? 'with' : 'without'} a comment`, 'sent');
  } catch (error) {
    say(error.message, 'failed');
  }
  busy = false;
  readOrSay();
});

drawLink();
drawUntil();
setInterval(drawUntil, 1000);
listen((e) => {
  if (e.kind === 'hello' || e.kind === 'people' || e.kind === 'clock') readOrSay();
});
