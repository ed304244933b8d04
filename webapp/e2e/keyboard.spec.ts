import type { Locator } from '@playwright/test';
import type { Phone } from './phone';
import { expect, long, test } from './test';

/** What Tab leads to: its name, and whether a ring tells it from what it looks like at rest. */
type Stop = { name: string; ring: boolean };

declare global {
  interface Window {
    __atRest: WeakMap<Element, string>;
  }
}

/** The keyboard goes to the game, and stands before its first control. */
async function begin(phone: Phone): Promise<void> {
  await phone.sheet.locator('iframe').focus();
  const frame = await phone.frame();
  await frame.evaluate(() => {
    window.__atRest = new WeakMap();
    for (const element of document.querySelectorAll('a, button, input, [tabindex]')) {
      window.__atRest.set(element, getComputedStyle(element).boxShadow);
    }
  });
}

/** Where Tab leads from the first control until it leaves the game. */
async function stops(phone: Phone): Promise<Stop[]> {
  const frame = await phone.frame();
  const found: Stop[] = [];
  for (;;) {
    await phone.page.keyboard.press('Tab');
    const stop = await frame.evaluate(async () => {
      const element = document.hasFocus() ? document.activeElement : null;
      if (!(element instanceof HTMLElement) || element === document.body) return null;
      await Promise.allSettled(element.getAnimations().map((animation) => animation.finished));
      const ring = getComputedStyle(element).boxShadow;
      return {
        name: (element.ariaLabel ?? element.textContent).replace(/\s+/g, ' ').trim(),
        ring: ring !== 'none' && ring !== window.__atRest.get(element),
      };
    });
    if (!stop) return found;
    found.push(stop);
    if (found.length > 40) throw new Error('Tab never leaves the game');
  }
}

const ringed = (...names: string[]) =>
  names.map((name) => ({ name: expect.stringContaining(name), ring: true }));
const dock = ['Home', 'Wheel', 'Market', 'Referral', 'Wallet'];

/** Opens a drawer from the keyboard and closes it again. */
async function peekInto(phone: Phone, opener: Locator, title: string): Promise<void> {
  const drawer = phone.app.getByRole('dialog', { name: title });
  await opener.focus();
  await phone.page.keyboard.press('Enter');
  await expect(drawer).toBeFocused();
  await phone.closeDialog();
  await expect(opener).toBeFocused();
}

test.describe('without touching the screen', () => {
  test('Tab goes through Home from top to bottom, and each stop wears a ring', { tag: long }, async ({
    phone,
  }) => {
    await phone.openGame();
    await begin(phone);
    expect(await stops(phone)).toEqual(
      ringed(
        'Profile and settings',
        'Connect',
        'Your Place',
        'Leaderboard',
        'Tap the bag',
        'Mines',
        'Ask for Advice',
        'Daily Tasks',
        ...dock,
      ),
    );
    await peekInto(phone, phone.app.getByRole('button', { name: 'Daily Tasks' }), 'Daily Tasks');
    await peekInto(phone, phone.app.getByRole('button', { name: 'Profile and settings' }), 'Profile');
  });

  test('Enter opens the bag, and Space and Enter tap it', async ({ sandbox, phone, page }) => {
    await phone.openGame();
    await phone.toTap.focus();
    await page.keyboard.press('Enter');
    await expect(phone.energyBar).toHaveAttribute('aria-valuenow', '1000');

    await begin(phone);
    expect(await stops(phone)).toEqual(ringed('Tap the money bag', 'Energy Progress', ...dock));
    await phone.bag.focus();
    for (const [key, left] of [
      ['Space', 999],
      ['Enter', 998],
      ['Space', 997],
    ] as const) {
      // A key within 100 ms of the last tap does not count.
      await expect(async () => {
        if ((await phone.energy()) > left) await page.keyboard.press(key);
        expect(await phone.energy()).toBe(left);
      }).toPass();
    }
    await expect(phone.total).toHaveText('0.003');
    await peekInto(phone, phone.app.getByRole('button', { name: 'Energy Progress' }), 'Energy Progress');

    await phone.dock.getByRole('link', { name: 'Home' }).focus();
    await page.keyboard.press('Enter');
    const game = await sandbox.game(phone.player);
    await expect.poll(() => game.counted()).toEqual({ byCoins: 3, byEnergy: 3 });
  });
});

test.describe('to a screen reader', () => {
  const navigation = `
    - navigation "Main":
      - /children: equal
      - link "Home"
      - link "Wheel"
      - link "Market"
      - link "Referral"
      - link "Wallet"`;

  test('Home and the tap screen are these names', { tag: long }, async ({ sandbox, phoneOf }) => {
    const phone = phoneOf(await sandbox.regular({ first_name: 'Marina' }));
    await phone.openGame();
    await expect(phone.app.locator('body')).toMatchAriaSnapshot(`
    - main:
      - button "Profile and settings"
      - text: Marina 0 days in the game
      - button "Connect"
      - heading "Your MCBK" [level=1]
      - text: "0.00"
      - paragraph: 0 for your place in TOP Points
      - link /^Your Place/:
        - /url: /leaderboard
      - text: Coins’ value, USDT $0.00
      - link "Leaderboard":
        - /url: /leaderboard
      - text: /Day \\d+ of 90 \\d+ days? left/
      - img /Day \\d+ of 90/
      - link "Tap the bag 1,000 of 1,000 Start tapping":
        - /url: /tap
        - heading "Tap the bag" [level=2]
      - link /^Mines \\d+ days left/:
        - /url: /mines
      - button "Ready Ask for Advice Once a day"
      - button "Join Community" [disabled]
    - button "Daily Tasks 0 of 6 done"${navigation}
    `);

    await phone.openTap();
    await expect(phone.app.locator('body')).toMatchAriaSnapshot(`
    - main:
      - /children: equal
      - heading "Your MCBK" [level=1]
      - text: 0.000 +0.001 a tap Level 1
      - button "Tap the money bag"
      - paragraph: Click on the money bag to earn coins!
      - text: Energy 1,000 of 1,000
      - progressbar "Energy 1,000 of 1,000"
    - button "Energy Progress Level 1. 320 spins to level 2"${navigation}
    `);
  });
});
