import { get, listen, post } from './api.js';
import { ask, sheet, toast } from './dialogs.js';
import { h, icon, replace } from './dom.js';

/** Other ends of a payment than paid, by `how` of POST stars/pay. */
const others = [
  ['fail', 'Payment fails'],
  ['pending', 'Pending, then paid'],
  ['twice', 'Bot told twice'],
  ['late', 'Bot told late'],
  ['lost', 'Bot never told'],
  ['out_of_order', 'Bot told out of order'],
];

const failures = {
  BOT_PRECHECKOUT_TIMEOUT: 'The bot did not answer in time.',
  PAYMENT_FAILED: 'The payment failed.',
  BALANCE_TOO_LOW: 'You have too few Stars.',
};

/** inStars draws an amount of Stars. */
export const inStars = (amount) => [icon('star'), ` ${amount.toLocaleString('en')}`];

/** noticeOf is the text of a service message, if it is one. */
export function noticeOf(m, botName) {
  if (m.write_access_allowed) return 'You allowed this bot to message you in its app';
  const stars = (payment) => `${payment.total_amount.toLocaleString('en')} Stars`;
  if (m.successful_payment) return `You paid ${stars(m.successful_payment)} to ${botName}`;
  if (m.refunded_payment) return `${botName} refunded ${stars(m.refunded_payment)}`;
  return undefined;
}

/** payInvoice opens the payment sheet and resolves with its status: paid, failed, pending or cancelled. */
export async function payInvoice(phone, link) {
  let invoice;
  try {
    invoice = await get(`stars/invoice?link=${encodeURIComponent(link)}`);
  } catch (e) {
    toast(phone.root, e.message);
    return 'failed';
  }
  return new Promise((resolve) => {
    let busy = false;
    let balance = 0;
    const said = h('p', { class: 'said', role: 'status' });
    const purse = h('span', { class: 'purse' });
    const pay = (how, ...label) => h('button', { type: 'button', class: how === 'pay' ? 'wide' : 'other', 'data-how': how, onclick: () => choose(how) }, label);
    const body = h('div', { class: 'invoice' },
      h('header', {}, h('button', { type: 'button', class: 'round', 'aria-label': 'Close', onclick: () => cancel() }, icon('close')), purse),
      h('h3', {}, invoice.title), h('p', {}, invoice.description), said,
      pay('pay', 'Confirm and Pay ', inStars(invoice.amount)),
      h('div', { class: 'others', role: 'group', 'aria-label': 'Sandbox' }, others.map(([how, label]) => pay(how, label))));

    const read = async () => {
      balance = (await get(`stars/${phone.id}`)).stars;
      replace(purse, 'Balance ', inStars(balance));
    };
    const end = (status) => {
      stop();
      close();
      resolve(status);
    };
    const cancel = () => { if (!busy) end('cancelled'); };
    const wait = (on) => {
      busy = on;
      for (const b of body.querySelectorAll('button')) b.disabled = on;
      said.textContent = on ? 'Asking the bot…' : '';
    };
    const choose = async (how) => {
      wait(true);
      try {
        await read();
        if (balance < invoice.amount) {
          wait(false);
          said.textContent = `You need ${(invoice.amount - balance).toLocaleString('en')} more Stars.`;
          return;
        }
        const { status, error, message } = await post('stars/pay', { player: phone.id, link: invoice.slug, how });
        end(status);
        if (status === 'paid') toast(phone.root, `You paid ${invoice.amount.toLocaleString('en')} Stars.`);
        if (status === 'pending') toast(phone.root, 'The payment is being processed.');
        if (status === 'failed') ask(phone.root, { title: phone.view.bot.first_name, message: message ?? failures[error] ?? error, buttons: [{ id: 'ok', type: 'ok' }] });
      } catch (e) {
        wait(false);
        said.textContent = e.message;
      }
    };
    const close = sheet(phone.root, 'Confirm your purchase', body, cancel);
    const stop = listen((e) => { if (e.kind === 'stars' && e.player === phone.id) read(); });
    read();
  });
}
