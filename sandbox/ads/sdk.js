// A rewarded-ad network's script as the game knows it: window.Adsgram.init({ blockId }).show() is a promise that resolves
// with { done: true } or is refused. The "ad" is a page of buttons that choose how it ends.
(() => {
  /** An ad lasts longer than the 5 s a ticket must be old, seconds. */
  const length = 6;
  const home = new URL(document.currentScript.src).origin;

  /** Whose launch data opened this page, as a network's script finds it out. */
  function player() {
    const [first] = performance.getEntriesByType('navigation');
    for (const address of [first?.name ?? '', location.href]) {
      const data = new URLSearchParams(new URL(address, location.href).hash.slice(1)).get('tgWebAppData');
      const user = data && new URLSearchParams(data).get('user');
      if (user) return JSON.parse(user).id;
    }
    return null;
  }

  const report = (outcome) =>
    fetch(`${home}/ads/end`, { method: 'POST', body: JSON.stringify({ player: player(), outcome }) });

  function element(name, style, text) {
    const made = document.createElement(name);
    Object.assign(made.style, style);
    if (text) made.textContent = text;
    return made;
  }

  const wide = { display: 'block', width: '100%', minHeight: '48px', border: '0', borderRadius: '10px', textAlign: 'center', font: '600 16px/20px sans-serif' };

  /** Puts the ad over everything and calls back once with how it ended. */
  function play(blockId, ended) {
    const page = element('div', {
      position: 'fixed', inset: '0', zIndex: '2147483647', display: 'flex', flexDirection: 'column', justifyContent: 'center',
      gap: '12px', padding: '24px', boxSizing: 'border-box', background: '#10233d', color: '#fff', font: '400 16px/22px sans-serif',
    });
    page.setAttribute('role', 'dialog');
    page.setAttribute('aria-label', 'Sandbox ad');
    const left = element('p', { margin: '0', textAlign: 'center' }, 'How does this ad end?');
    page.append(
      element('p', { margin: '0', font: '700 24px/30px sans-serif', textAlign: 'center' }, 'A pretend ad'),
      element('p', { margin: '0 0 12px', opacity: '.75', textAlign: 'center' }, blockId),
      left,
    );
    const buttons = element('div', { display: 'grid', gap: '10px' });
    page.append(buttons);
    const button = (text, color, onclick) => {
      const made = element('button', { ...wide, background: color, color: '#fff' }, text);
      made.type = 'button';
      made.onclick = onclick;
      buttons.append(made);
    };
    const finish = (outcome) => {
      page.remove();
      ended(outcome);
    };
    const watch = (outcome) => {
      buttons.replaceChildren();
      let seconds = length;
      const count = () => { left.textContent = `The ad ends in ${seconds} s`; };
      count();
      const timer = setInterval(() => {
        seconds -= 1;
        count();
        if (seconds > 0) return;
        clearInterval(timer);
        finish(outcome);
      }, 1000);
      button('Close early', '#7a3324', () => {
        clearInterval(timer);
        finish('early');
      });
    };
    button('Watch', '#2f7d4f', () => watch('watch'));
    button('Late callback', '#3f5b86', () => watch('late'));
    button('Callback twice', '#3f5b86', () => watch('twice'));
    button('Close early', '#7a3324', () => finish('early'));
    button('No ad', '#7a3324', () => finish('none'));
    document.body.append(page);
  }

  const refusals = {
    early: { done: false, error: false, state: 'playing', description: 'Skipped' },
    none: { done: false, error: true, state: 'load', description: 'No ads' },
  };

  window.Adsgram = {
    init: ({ blockId }) => ({
      show: () => new Promise((resolve, reject) => {
        if (player() === null) return reject({ done: false, error: true, state: 'load', description: 'No launch data' });
        play(blockId, async (outcome) => {
          // The server may be gone; the player has seen the ad all the same.
          await report(outcome).catch(() => undefined);
          if (refusals[outcome]) reject(refusals[outcome]);
          else resolve({ done: true, error: false, state: 'destroy', description: '' });
        });
      }),
    }),
  };
})();
