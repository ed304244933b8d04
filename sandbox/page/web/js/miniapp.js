import { get, post } from './api.js';
import { h, icon, replace } from './dom.js';
import { ask, choose, toast } from './dialogs.js';
import { openTelegram } from './links.js';
import { record } from './record.js';
import { payInvoice } from './stars.js';
import { webAddress } from './text.js';

/** The strip Telegram's own buttons take from the app, in pixels. */
const headHeight = 44;

/**
 * MiniApp is the game over the chat: an iframe, Telegram's header above it,
 * and the Mini Apps events both exchange as JSON strings.
 */
export class MiniApp {
  constructor(phone, address, title) {
    Object.assign(this, { phone, title, backVisible: false, confirmClose: false, fullscreen: false, popupOpen: false, invoiceOpen: false, colors: {} });
    this.close = this.close.bind(this);
    this.frame = h('iframe', { src: address, title, allow: 'clipboard-write; fullscreen', referrerpolicy: 'strict-origin-when-cross-origin' });
    this.left = h('button', { type: 'button', class: 'pill app-close', onclick: () => (this.backVisible ? this.send('back_button_pressed') : this.askClose()) });
    this.el = h('div', { class: 'app below', role: 'dialog', 'aria-label': title },
      this.frame,
      h('div', { class: 'loading' }, h('img', { src: '/assets/icon.svg', alt: '' })),
      h('div', { class: 'app-head' }, this.left, h('span', { class: 'name' }, title),
        h('div', { class: 'pills' },
          h('button', { type: 'button', class: 'pill', 'aria-label': 'Minimise', onclick: () => this.minimise() }, icon('down')),
          h('button', { type: 'button', class: 'pill', 'aria-label': 'More', onclick: () => this.more() }, icon('more')))));
    this.bar = h('div', { class: 'minimised', hidden: true, role: 'button', tabindex: 0, onclick: () => this.restore(), onkeydown: (e) => e.key === 'Enter' && this.restore() },
      h('img', { src: '/assets/icon.svg', alt: '' }), h('span', {}, title),
      h('button', { type: 'button', class: 'round', 'aria-label': 'Close the app', onclick: (e) => { e.stopPropagation(); this.askClose(); } }, icon('close')));
    this.drawLeft();
    this.paint();
    this.onmessage = (e) => this.receive(e);
    window.addEventListener('message', this.onmessage);
    this.frame.addEventListener('load', () => this.el.classList.add('loaded'));
    this.sizes = new ResizeObserver(() => this.send('viewport_changed', this.viewport()));
    phone.root.append(this.el, this.bar);
    this.sizes.observe(this.frame);
    requestAnimationFrame(() => requestAnimationFrame(() => this.el.classList.remove('below')));
  }

  send(eventType, eventData) {
    this.frame.contentWindow?.postMessage(JSON.stringify({ eventType, eventData }), '*');
  }

  /** receive listens to the app's own window and to nobody else. */
  receive(e) {
    if (e.source !== this.frame.contentWindow || typeof e.data !== 'string') return;
    let message;
    try {
      message = JSON.parse(e.data);
    } catch {
      return;
    }
    if (!message || typeof message.eventType !== 'string') return;
    record(this.phone.id, message.eventType, message.eventData);
    this.answers[message.eventType]?.call(this, message.eventData ?? {});
  }

  answers = {
    web_app_ready() { this.el.classList.add('loaded'); },
    web_app_request_viewport() { this.send('viewport_changed', this.viewport()); },
    web_app_expand() { this.send('viewport_changed', this.viewport()); },
    web_app_request_theme() { this.send('theme_changed', { theme_params: this.phone.info.theme }); },
    web_app_request_safe_area() { this.send('safe_area_changed', this.safeArea()); },
    web_app_request_content_safe_area() { this.send('content_safe_area_changed', this.contentSafeArea()); },
    web_app_request_fullscreen() {
      if (this.fullscreen) this.send('fullscreen_failed', { error: 'ALREADY_FULLSCREEN' });
      else this.setFullscreen(true);
    },
    web_app_exit_fullscreen() { if (this.fullscreen) this.setFullscreen(false); },
    web_app_setup_back_button({ is_visible }) { this.backVisible = Boolean(is_visible); this.drawLeft(); },
    web_app_setup_closing_behavior({ need_confirmation }) { this.confirmClose = Boolean(need_confirmation); },
    web_app_set_header_color({ color, color_key }) { this.paint({ head: color ?? this.phone.info.theme[color_key] }); },
    web_app_set_background_color({ color }) { this.paint({ ground: color }); },
    web_app_set_bottom_bar_color({ color }) { this.paint({ bottom: color }); },
    web_app_trigger_haptic_feedback(feel) { this.phone.flash(feel); },
    web_app_open_popup(popup) { this.popup(popup); },
    web_app_open_invoice({ slug }) { this.invoice(String(slug)); },
    web_app_open_link({ url }) {
      const address = webAddress(String(url));
      if (address) window.open(address, '_blank', 'noopener');
    },
    web_app_open_tg_link({ path_full }) { openTelegram(this.phone, String(path_full)); },
    web_app_request_write_access() { this.writeAccess(); },
    web_app_request_phone() { this.send('phone_requested', { status: 'cancelled' }); },
    web_app_read_text_from_clipboard({ req_id }) { this.send('clipboard_text_received', { req_id, data: null }); },
    web_app_invoke_custom_method({ req_id }) { this.send('custom_method_invoked', { req_id, error: 'UNSUPPORTED' }); },
    web_app_close: this.close,
  };

  viewport() {
    return { width: this.frame.clientWidth, height: this.frame.clientHeight, is_state_stable: true, is_expanded: true };
  }

  /** On the desk the frame's round corners cut into the lower edge. */
  safeArea() { return { top: 0, bottom: this.phone.root.closest('.bezel') ? 20 : 0, left: 0, right: 0 }; }

  contentSafeArea() { return { top: headHeight, bottom: 0, left: 0, right: 0 }; }

  setFullscreen(on) {
    this.fullscreen = on;
    this.el.classList.toggle('full', on);
    this.send('fullscreen_changed', { is_fullscreen: on });
    this.send('viewport_changed', this.viewport());
    this.send('safe_area_changed', this.safeArea());
    this.send('content_safe_area_changed', this.contentSafeArea());
  }

  async popup({ title, message, buttons }) {
    if (this.popupOpen || typeof message !== 'string' || !message || message.length > 256) return;
    this.popupOpen = true;
    const list = Array.isArray(buttons) && buttons.length ? buttons.slice(0, 3) : [{ id: '', type: 'close' }];
    const id = await ask(this.phone.root, { title, message, buttons: list });
    this.popupOpen = false;
    this.send('popup_closed', id === undefined ? {} : { button_id: id });
  }

  async invoice(slug) {
    if (this.invoiceOpen) return;
    this.invoiceOpen = true;
    const status = await payInvoice(this.phone, slug);
    this.invoiceOpen = false;
    this.send('invoice_closed', { slug, status });
  }

  /** writeAccess asks the player whether the bot may write, unless it may already. */
  async writeAccess() {
    const answer = (status) => this.send('write_access_requested', { status });
    const chat = `chat/${this.phone.id}`;
    try {
      const { started, blocked } = await get(chat);
      if (started && !blocked) return answer('allowed');
      const said = await ask(this.phone.root, {
        title: 'Allow messages?', message: `This will allow the bot ${this.title} to message you on Telegram.`,
        buttons: [{ id: 'cancel', type: 'cancel' }, { id: 'allow', text: 'Allow' }],
      });
      if (said !== 'allow') return answer('cancelled');
      await post(`${chat}/allow`);
      answer('allowed');
    } catch (e) {
      toast(this.phone.root, e.message);
      answer('cancelled');
    }
  }

  drawLeft() {
    replace(this.left, icon(this.backVisible ? 'back' : 'close'), h('span', {}, this.backVisible ? 'Back' : 'Close'));
  }

  paint(next = {}) {
    const theme = this.phone.info.theme;
    for (const [k, v] of Object.entries(next)) if (/^#[0-9a-f]{6}$/i.test(v ?? '')) this.colors[k] = v;
    const head = this.colors.head ?? theme.header_bg_color;
    const [r, g, b] = [1, 3, 5].map((i) => Number.parseInt(head.slice(i, i + 2), 16));
    this.el.style.setProperty('--head', head);
    this.el.style.setProperty('--head-ink', 0.299 * r + 0.587 * g + 0.114 * b > 150 ? '#10161d' : '#ffffff');
    this.el.style.setProperty('--app-ground', this.colors.ground ?? theme.bg_color);
    this.el.style.setProperty('--app-bottom', this.colors.bottom ?? theme.bottom_bar_bg_color);
  }

  more() {
    choose(this.phone.root, [
      ['Reload page', () => this.reload()],
      ['Minimise', () => this.minimise()],
      ['Close', () => this.askClose(), true],
    ]);
  }

  /** reload opens the same launch again; its data is not signed anew, as in Telegram. */
  reload() {
    this.el.classList.remove('loaded');
    const src = this.frame.src;
    this.frame.src = 'about:blank';
    this.frame.addEventListener('load', () => { this.frame.src = src; }, { once: true });
  }

  minimise() {
    this.el.classList.add('below');
    this.el.inert = true;
    this.bar.hidden = false;
    this.phone.composer.before(this.bar);
    this.send('visibility_changed', { is_visible: false });
  }

  restore() {
    this.el.classList.remove('below');
    this.el.inert = false;
    this.bar.hidden = true;
    this.send('visibility_changed', { is_visible: true });
  }

  async askClose() {
    if (this.confirmClose) {
      const sure = await ask(this.phone.root, {
        title: this.title, message: 'Changes that you made may not be saved.',
        buttons: [{ id: '', type: 'cancel' }, { id: 'close', type: 'destructive', text: 'Close anyway' }],
      });
      if (sure !== 'close') return;
    }
    this.close();
  }

  close() {
    if (this.closed) return;
    this.closed = true;
    record(this.phone.id, 'sandbox_closed', {});
    window.removeEventListener('message', this.onmessage);
    this.sizes.disconnect();
    this.bar.remove();
    this.el.classList.add('below');
    // The frame goes when the sheet is out of sight, or at once if it never moves.
    const end = () => this.el.remove();
    this.el.addEventListener('transitionend', end, { once: true });
    setTimeout(end, 500);
    this.phone.appClosed(this);
  }

  /** fail says why the app could not open. */
  static fail(phone, error) { toast(phone.root, error.message); }
}
