import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { FakeMarket } from '../src/testing/FakeMarket';
import { aResult, FakeMines } from '../src/testing/FakeMines';
import type { Phone } from './phone';
import { press } from './purse';
import {
  fifthDay,
  goldenWheel,
  mines,
  prizes,
  seasonBegan,
  seasoned,
  sells,
  wheelBrings,
  wheelStands,
} from './stage';
import { expect, refusals, test } from './test';

/**
 * Film strips of what moves, for people to look at (`E2E_TURN=films scripts/e2e.sh sqlite films.spec.ts`); they prove nothing. Where
 * FILMS_BEFORE is a folder of earlier ones, each stands over its own.
 */
const folder = fileURLToPath(new URL('../../pictures/films/', import.meta.url));

/** Milliseconds from the touch, or from what is waited for after it. */
const usual = [0, 150, 300, 450, 600, 800, 1000, 1300, 1700, 2200, 3000];

test.describe('@films', () => {
  test.use({ forgiven: refusals });

  test.describe('a visit', () => {
    test.use({ checkIn: 'due' });

    test.describe('the first of all', () => {
      test.use({ discount: 'offered' });

      test('first-minute', async ({ sandbox, phoneOf, page }) => {
        const phone = phoneOf(await sandbox.newPlayer());
        const { daily, discount } = phone.words;
        await phone.openGame();
        await phone.app.getByRole('checkbox').check();
        const minute = async () => {
          await phone.app.getByRole('dialog').getByRole('button').last().tap();
          const reward = phone.modal(daily.title);
          await reward.waitFor();
          await page.waitForTimeout(1000); // it is looked at
          await reward.getByRole('button').first().tap();
          await reward.waitFor({ state: 'detached' });
          await page.waitForTimeout(1500);
          await phone.openTap();
          await phone.tap(3);
          await phone.leaveTap();
          await phone.modal(discount.title).waitFor();
        };
        let over: Promise<void> | undefined;
        await film(
          page,
          'first-minute',
          () => {
            over = minute();
            return Promise.resolve();
          },
          Array.from({ length: 22 }, (_, frame) => frame * 600),
        );
        await over;
      });
    });

    test('reward', async ({ phone, page }) => {
      await seasoned(page);
      await fifthDay(page);
      await phone.openGame();
      const claim = phone.modal(phone.words.daily.title).getByRole('button').first();
      await film(page, 'reward', () => claim.tap());
    });
  });

  for (const name of ['purchase', 'mine-opened'] as const)
    test(name, async ({ phone, page }) => {
      const market = new FakeMarket();
      const told = new FakeMines(market);
      const { mines: words, order } = phone.words;
      told.own(4, 2340);
      await seasoned(page);
      await sells(page, market);
      await mines(page, told);
      await phone.visit(name === 'purchase' ? '/market' : '/mines');
      if (name === 'purchase') await press(phone, '5');
      else {
        await phone.handle.tap();
        await phone.app.getByRole('dialog').getByRole('button', { name: '3 TON' }).tap();
        await phone.app.getByRole('button', { name: words.buy, exact: true }).tap();
      }
      await expect(phone.modal(order.pending)).toBeVisible();
      await page.bringToFront(); // the wallet's page lies over it
      await film(page, name, async () => {
        if (name === 'purchase') market.becomes(1, { status: 'paid', paid_ton: 5, paid_mcbk: 2500 });
        else told.paid();
        await expect(phone.modal(order.pending)).toHaveCount(0);
      });
    });

  for (const [name, prize] of [
    ['small-win', 'coins'],
    ['big-win', 'points'],
    ['chest-win', 'chest'],
    ['golden-spin', 'golden'],
    ['golden-bonus', 'goldenBonus'],
    ['level-up', 'points'],
  ] as const)
    test(name, async ({ sandbox, phone, page }) => {
      await seasoned(page);
      await wheelStands(page, name.startsWith('golden') ? goldenWheel : {});
      await wheelBrings(page, await sandbox.game(phone.player), prizes[prize], name === 'level-up');
      await phone.visit('/roulette');
      const { golden, free } = phone.words.wheel;
      await phone.app.getByRole('button', { name: name.startsWith('golden') ? golden : free }).tap();
      const { claim } = phone.words.wheel;
      if (name === 'level-up') {
        await phone.app.getByRole('button', { name: claim, exact: true }).tap();
        const level = phone.modal(phone.words.tap.level_up.replace('{{level}}', '2'));
        await film(page, name, () => expect(level).toBeVisible());
      } else await film(page, name, () => expect(phone.app.getByRole('dialog')).toBeVisible());
    });

  test('tap', async ({ phone, page }) => {
    await phone.openGame();
    await phone.openTap();
    await film(page, 'tap', () => twoFingers(phone), [0, 60, 120, 180, 240, 360, 480, 600, 900, 1300]);
  });

  test('tournament-won', async ({ phone, page }) => {
    const told = new FakeMines(new FakeMarket());
    const result = aResult({ rank: 1, prize_ton: 30, prize_mcbk: 100_000, prize_given: true, payout: 'due' });
    told.tournament = { ...told.tournament, status: 'awarded', result };
    await mines(page, told);
    await phone.openGame();
    await film(page, 'tournament-won', () => phone.go('/mines'));
  });

  test('recap', async ({ phone, page }) => {
    await seasonBegan(page, 95);
    await seasoned(page);
    await phone.open('startapp=');
    await film(page, 'recap', () => phone.playable());
  });
});

/** Both come down at once, on two sides of the bag, so that the game counts one of them. */
async function twoFingers({ page, bag }: Phone): Promise<void> {
  const { x, y, width, height } = (await bag.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const touchPoints = [0.3, 0.7].map((share, id) => ({ id, x: x + width * share, y: y + height * 0.6 }));
  const hand = await page.context().newCDPSession(page);
  await hand.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
  void hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

/** Films what `act` sets going: the phone as it was drawn at these times after it, side by side in one picture. */
async function film(page: Page, name: string, act: () => Promise<unknown>, times = usual): Promise<void> {
  const reel: { at: number; data: string }[] = [];
  const camera = await page.context().newCDPSession(page);
  camera.on('Page.screencastFrame', ({ data, metadata, sessionId }) => {
    reel.push({ at: (metadata.timestamp ?? 0) * 1000, data });
    void camera.send('Page.screencastFrameAck', { sessionId });
  });
  await camera.send('Page.startScreencast', { format: 'jpeg', quality: 85 });
  await expect.poll(() => reel.length).toBeGreaterThan(0);
  await act();
  const began = Date.now();
  await page.waitForTimeout(Math.max(...times) + 200); // what is filmed is time itself
  await camera.send('Page.stopScreencast');
  const frames = times.map((time) => {
    const { data } = reel.findLast(({ at }) => at <= began + time) ?? reel[0] ?? { data: '' };
    return `<figure><img src="data:image/jpeg;base64,${data}"><figcaption>${time} ms</figcaption></figure>`;
  });
  const style =
    'body{margin:0;padding:8px;background:#000;color:#fff;font:13px sans-serif;width:max-content}' +
    'div{display:flex;gap:6px}figure{margin:0}figure img{width:260px}img{display:block}';
  const earlier = process.env.FILMS_BEFORE;
  const before = earlier && (await readFile(`${earlier}/${name}.png`, 'base64').catch(() => null));
  const above = before ? `<img src="data:image/png;base64,${before}">` : '';
  const table = await page.context().newPage();
  await table.setContent(`<!doctype html><style>${style}</style>${above}<div>${frames.join('')}</div>`);
  await mkdir(folder, { recursive: true });
  await table.locator('body').screenshot({ path: `${folder}${name}.png` });
  await table.close();
}
