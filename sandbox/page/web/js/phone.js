import { get, listen, post } from './api.js';
import { bubble, dayOf, sameAuthor } from './bubble.js';
import { ask, choose, toast } from './dialogs.js';
import { h, icon, replace } from './dom.js';
import { openLink } from './links.js';
import { MiniApp } from './miniapp.js';
import { noticeOf } from './stars.js';

const answerWait = 15_000; // after it a pressed button stops turning
const feels = { error: '#ff6b6b', warning: '#f7b928', success: '#aecf5c', heavy: '#ffffff', rigid: '#ffffff' };

/** Phone is one player's Telegram: the chat with the bot, and the game over it. */
export class Phone {
  constructor(root, id, info) {
    Object.assign(this, { root, id, info, view: null, app: null, startCode: null, replyTo: null, rows: new Map(), pressed: new Map() });
    this.build();
    this.stop = listen((e) => this.hear(e));
    this.ready = this.refresh();
  }

  /** leave takes the phone off the page. */
  leave() {
    this.stop();
    this.app?.close();
    this.root.replaceChildren();
  }

  build() {
    this.name = h('b', {}, '');
    this.lines = h('div', { class: 'lines' });
    this.chat = h('main', { class: 'chat', tabindex: -1 }, this.lines);
    this.shared = h('div', { class: 'shared', hidden: true });
    this.menu = h('button', { type: 'button', class: 'menu', hidden: true });
    this.input = h('textarea', { rows: 1, placeholder: 'Message', 'aria-label': 'Message', autocomplete: 'off', oninput: () => this.typed(), onkeydown: (e) => this.key(e) });
    this.go = h('button', { type: 'button', class: 'round go', 'aria-label': 'Send', disabled: true, onclick: () => this.sendTyped() }, icon('send'));
    this.suggest = h('div', { class: 'suggest', hidden: true });
    this.replying = h('div', { class: 'replying', hidden: true });
    this.composer = h('footer', { class: 'composer' }, this.suggest, this.menu, this.input, this.go);
    this.startBar = h('div', { class: 'start', hidden: true });
    this.glow = h('div', { class: 'flash' });
    replace(this.root,
      h('header', { class: 'chat-head' },
        h('img', { src: '/assets/icon.svg', alt: '' }),
        h('div', { class: 'title' }, this.name, h('span', {}, 'bot')),
        h('button', { type: 'button', class: 'round', 'aria-label': 'Chat menu', onclick: () => this.chatMenu() }, icon('more'))),
      this.shared, this.chat, this.replying, this.composer, this.startBar, this.glow);
  }

  hear(e) {
    if (e.kind === 'hello' || e.kind === 'bot' || (e.kind === 'chat' && e.player === this.id)) this.refresh();
    if (e.player !== this.id) return;
    if (e.kind === 'answer') this.answered(e.detail);
  }

  async refresh() {
    // Several events in a row ask once; the last answer wins.
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const view = await get(`chat/${this.id}`).catch(() => null);
    if (!view || turn !== this.turn) return;
    const first = !this.view;
    this.view = view;
    this.draw(first);
  }

  draw(first) {
    const v = this.view;
    this.name.textContent = v.bot.first_name;
    const nearEnd = first || this.chat.scrollHeight - this.chat.scrollTop - this.chat.clientHeight < 90;
    const newest = v.messages.at(-1)?.message_id ?? 0;
    this.drawMessages(first);
    this.drawMenu();
    this.drawBottom();
    this.drawShared();
    if (nearEnd || (newest > (this.newest ?? 0) && !v.messages.at(-1)?.from.is_bot)) this.toEnd();
    this.newest = newest;
  }

  toEnd() { this.chat.scrollTop = this.chat.scrollHeight; }

  drawMessages(first) {
    const { messages } = this.view;
    if (!messages.length) {
      this.rows.clear();
      replace(this.lines, h('div', { class: 'empty' }, h('img', { src: '/assets/icon.svg', alt: '' }),
        h('b', {}, 'No messages here yet'), h('p', {}, 'Press Start to begin.')));
      return;
    }
    const rows = new Map();
    const nodes = [];
    messages.forEach((m, i) => {
      const before = messages[i - 1];
      const after = messages[i + 1];
      if (!before || dayOf(before) !== dayOf(m)) nodes.push(h('div', { class: 'day' }, dayOf(m)));
      const notice = noticeOf(m, this.view.bot.first_name);
      if (notice) return nodes.push(h('div', { class: 'day' }, notice));
      const shape = { first: !sameAuthor(before, m), last: !sameAuthor(m, after) };
      const print = JSON.stringify([m, shape]);
      const old = this.rows.get(m.message_id);
      const el = old?.print === print ? old.el : bubble(this, m, shape);
      if (!old && !first) el.classList.add('new');
      rows.set(m.message_id, { print, el });
      nodes.push(el);
    });
    this.rows = rows;
    // Nodes that stay are not moved, so a picture does not blink.
    const keep = new Set(nodes);
    for (const child of [...this.lines.children]) if (!keep.has(child)) child.remove();
    nodes.forEach((n, i) => { if (this.lines.children[i] !== n) this.lines.insertBefore(n, this.lines.children[i] ?? null); });
  }

  drawMenu() {
    const { menu, commands } = this.view;
    this.menu.hidden = menu.type !== 'web_app' && commands.length === 0;
    const app = menu.type === 'web_app';
    replace(this.menu, icon(app ? 'play' : 'list'), h('span', {}, app ? menu.text : 'Menu'));
    this.menu.setAttribute('aria-label', app ? menu.text : 'Menu');
    this.menu.onclick = () => (app ? this.launch({ url: menu.web_app.url }) : this.offer(commands, true));
  }

  drawBottom() {
    const { started, blocked, messages } = this.view;
    const fresh = blocked || !started || !messages.length || this.startCode !== null;
    this.startBar.hidden = !fresh;
    this.composer.hidden = fresh;
    if (!fresh) return;
    const code = this.startCode;
    replace(this.startBar,
      code ? h('p', {}, 'Opened by a link with the code ', h('code', {}, code)) : null,
      h('button', { type: 'button', onclick: () => this.start() }, blocked ? 'RESTART' : 'START'));
  }

  async drawShared() {
    const [link] = this.view.shared;
    this.shared.hidden = !link;
    if (!link) return;
    const from = await get(`people/${link.from}`).catch(() => null);
    const open = async () => { await post(`chat/${this.id}/unshare`); openLink(this, link.url); };
    replace(this.shared,
      h('button', { type: 'button', class: 'what', onclick: open }, h('b', {}, `${from?.first_name ?? 'Someone'} sent you a link`), h('span', {}, link.text || link.url)),
      h('button', { type: 'button', class: 'round', 'aria-label': 'Dismiss', onclick: () => post(`chat/${this.id}/unshare`) }, icon('close')));
  }

  /** promptStart shows the START button of a start link. */
  promptStart(code) {
    this.startCode = code;
    if (this.view) this.drawBottom();
  }

  start() {
    const code = this.startCode;
    this.startCode = null;
    return this.say(code ? `/start ${code}` : '/start');
  }

  async say(text) {
    const reply = this.replyTo?.message_id;
    this.reply(null);
    await post(`chat/${this.id}/send`, { text, reply_to: reply }).catch((e) => toast(this.root, e.message));
    await this.refresh();
    this.toEnd();
  }

  sendTyped() {
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = '';
    this.typed();
    this.say(text);
  }

  typed() {
    const text = this.input.value;
    this.go.disabled = !text.trim();
    this.input.style.height = '';
    this.input.style.height = `${Math.min(this.input.scrollHeight, 132)}px`;
    const word = /^\/(\w*)$/.exec(text);
    this.offer(word ? this.view.commands.filter((c) => c.command.startsWith(word[1].toLowerCase())) : []);
  }

  key(e) {
    const offered = [...this.suggest.querySelectorAll('button')];
    const at = offered.findIndex((b) => b.classList.contains('at'));
    if (!this.suggest.hidden && (e.key === 'ArrowDown' || e.key === 'ArrowUp')) {
      e.preventDefault();
      offered[at]?.classList.remove('at');
      offered[(at + (e.key === 'ArrowDown' ? 1 : -1) + offered.length) % offered.length].classList.add('at');
    } else if (!this.suggest.hidden && (e.key === 'Tab' || (e.key === 'Enter' && at > 0))) {
      e.preventDefault();
      offered[Math.max(at, 0)].click();
    } else if (e.key === 'Escape') {
      this.offer([]);
    } else if (e.key === 'Enter' && !e.shiftKey) {
      e.preventDefault();
      this.sendTyped();
    }
  }

  /** offer lists commands above the text field; a second press on Menu hides them. */
  offer(commands, toggle = false) {
    if (toggle && !this.suggest.hidden) commands = [];
    this.suggest.hidden = commands.length === 0;
    replace(this.suggest, commands.map((c, i) => h('button', {
      type: 'button', class: i === 0 && !toggle ? 'at' : null,
      onclick: () => { this.input.value = ''; this.typed(); this.offer([]); this.say(`/${c.command}`); },
    }, h('b', {}, `/${c.command}`), h('span', {}, c.description))));
  }

  reply(m) {
    this.replyTo = m;
    this.replying.hidden = !m;
    if (!m) return;
    replace(this.replying,
      h('div', { class: 'quote' }, h('b', {}, m.from.first_name), h('span', {}, m.text || m.caption || 'Photo')),
      h('button', { type: 'button', class: 'round', 'aria-label': 'Do not reply', onclick: () => this.reply(null) }, icon('close')));
    this.input.focus();
  }

  /** press acts on an inline button. */
  async press(m, b, button) {
    if (b.web_app) return this.launch({ url: b.web_app.url });
    if (b.url) return openLink(this, b.url);
    button.classList.add('wait');
    const done = () => button.classList.remove('wait');
    setTimeout(done, answerWait);
    try {
      const { callback_query_id } = await post(`chat/${this.id}/press`, { message_id: m.message_id, data: b.callback_data });
      this.pressed.set(callback_query_id, done);
      // The answer may have come before the id did.
      const early = (await get(`chat/${this.id}`)).answers.find((a) => a.callback_query_id === callback_query_id);
      if (early) this.answered(early);
    } catch (e) {
      done();
      toast(this.root, e.message);
    }
  }

  answered(a) {
    const done = this.pressed.get(a.callback_query_id);
    if (!done) return;
    this.pressed.delete(a.callback_query_id);
    done();
    if (a.url) openLink(this, a.url);
    if (!a.text) return;
    if (a.show_alert) ask(this.root, { title: this.view.bot.first_name, message: a.text, buttons: [{ id: 'ok', type: 'ok' }] });
    else toast(this.root, a.text);
  }

  /** launch opens the mini-app; options are those of GET /sandbox/launch. */
  async launch(options) {
    try {
      const { url } = await get(`launch?${new URLSearchParams({ player: this.id, ...options })}`);
      this.app?.close();
      this.app = new MiniApp(this, url, this.view?.bot.first_name ?? 'MCBK');
    } catch (e) {
      toast(this.root, e.message);
    }
  }

  appClosed(app) {
    if (this.app === app) this.app = null;
  }

  /** open follows a link typed on the desk. */
  open(address) { openLink(this, address); }

  flash({ type, impact_style, notification_type }) {
    const felt = type === 'notification' ? feels[notification_type] : feels[impact_style];
    this.glow.style.setProperty('--felt', felt ?? '#5eb5f7');
    this.glow.classList.remove('on');
    void this.glow.offsetWidth; // starts the animation again
    this.glow.classList.add('on');
  }

  chatMenu() {
    const { blocked } = this.view;
    choose(this.root, [
      ['Clear history', () => post(`chat/${this.id}/clear`)],
      [blocked ? 'Unblock bot' : 'Stop and block bot', () => post(`chat/${this.id}/block`, { blocked: !blocked }), !blocked],
    ]);
  }
}
