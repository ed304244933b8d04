import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { SpinReward, User } from '../../api/types';
import { aPrize } from '../../testing/FakeWheel';
import { changeUser, server, setUpGame } from '../../testing/playGame';
import { closed, faults, pass, showGame } from '../../testing/showGame';

setUpGame({ path: '/roulette', ticking: true });

async function open() {
  const { root, host } = await showGame();
  await screen.findByRole('heading', { name: /Wheel of Fortune|Колесо/ });
  return { root, host };
}

const player = () => server.player(7);

const hold = (balance: Partial<User['balance']>) => changeUser({ balance });

const button = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const dialog = () => screen.findByRole('dialog');
const said = () => document.querySelector('main [aria-live]')?.textContent;

/** The wheel has stopped on this prize, and its modal is open. */
async function won(reward: SpinReward) {
  player().golden = reward.is_golden;
  server.wheel.prizes = [reward];
  const opened = await open();
  fireEvent.click(button(reward.is_golden ? /Golden Spin/ : /Free Spin/));
  await pass(7000);
  return { ...opened, modal: await dialog() };
}

describe('the screen of the wheel', () => {
  it('shows what was won, the streak, the spins, and the way to its proof', async () => {
    player().streak = 4;
    changeUser({ stats: { won_mcbk: 348 } });
    hold({ daily_spins: 3, ad_spins: 7, game_points: 4120 });
    await open();
    const main = screen.getByRole('main');
    for (const words of ['Won MCBK', '348.00', 'Points MCBK', '4,120', '7 left', '3 left']) {
      expect(main.textContent).toContain(words);
    }
    expect(main.textContent).toContain('Spin 3 more days in a row for the golden spin');
    expect(screen.getByRole('img', { name: '4 of 7 days' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Is it fair?' }).getAttribute('href')).toBe('/roulette/fairness');
    expect(button(/Free Spin/).dataset.variant).toBe('primary');
    expect(button(/ADS Spin/).dataset.variant).toBe('secondary');
    expect(await faults()).toEqual([]);
  });

  it.each([
    ['2026-04-16T12:00:00Z', 4, false, 'Spin 3 more days in a row'],
    ['2026-04-16T12:00:00Z', 4, true, 'No more golden spins this season'],
    ['2026-04-17T12:00:00Z', 4, false, 'No more golden spins this season'],
    ['2026-04-18T12:00:00Z', 6, false, 'Spin 1 more day in a row'],
    ['2026-04-18T12:00:00Z', 6, true, 'No more golden spins this season'],
    ['2026-04-19T12:00:00Z', 6, false, 'No more golden spins this season'],
  ])(
    'at %s promises after %d days only what the season has days for',
    async (now, streak, spunToday, words) => {
      server.serverTime = now;
      Object.assign(player(), { streak, spunToday });
      await open();
      expect(screen.getByRole('main').textContent).toContain(words);
    },
  );

  it('says that the wheel is switched off, in place of what it would do', async () => {
    await open();
    server.weatherOf['/api/roulette/spin'] = [
      { status: 503, code: 'maintenance', params: { feature: 'wheel' } },
    ];
    fireEvent.click(button(/Free Spin/));
    await pass(10);
    for (const name of [/^ADS SpinTechnical works$/, /^Free SpinTechnical works$/]) {
      const found = screen
        .getAllByRole<HTMLButtonElement>('button')
        .find((one) => name.test(one.textContent));
      expect(found?.disabled).toBe(true);
    }
  });

  it('does not call a golden spin open once the season is over', async () => {
    server.serverTime = '2026-04-19T00:00:00Z';
    Object.assign(player(), { streak: 7, golden: true });
    await open();
    expect(screen.getByRole('main').textContent).toContain('No more golden spins this season');
    expect(screen.getByRole('main').textContent).not.toContain('Golden spin is open');
  });

  it('makes the ad spin the first thing to do when no free spin is left', async () => {
    hold({ daily_spins: 0 });
    await open();
    expect([button(/ADS Spin/).dataset.variant, button(/ADS Spin/).disabled]).toEqual(['primary', false]);
    expect([button(/Free Spin/).dataset.variant, button(/Free Spin/).disabled]).toEqual(['secondary', true]);
  });

  it('says why there is no ad spin', async () => {
    hold({ daily_spins: 20 });
    await open();
    expect(button(/ADS Spin/).textContent).toContain('You have 20 spins');
    expect(button(/ADS Spin/).disabled).toBe(true);
  });

  it('has the golden spin in place of both', async () => {
    Object.assign(player(), { golden: true, streak: 9 });
    hold({ daily_spins: 1 });
    await open();
    expect(button(/Golden Spin x5/).textContent).toContain('uses your last free spin');
    expect(screen.queryByRole('button', { name: /Free Spin|ADS Spin/ })).toBeNull();
    expect(screen.getByRole('img', { name: '7 of 7 days' })).toBeTruthy();
    expect(screen.getByRole('main').textContent).toContain(
      'Golden spin is open. It pays x5, or x10 with an ad',
    );
  });

  it('does not shut in who has a golden spin and no spin to use for it', async () => {
    player().golden = true;
    hold({ daily_spins: 0 });
    await open();
    expect(button(/Golden Spin/).disabled).toBe(true);
    expect(button(/ADS Spin/).disabled).toBe(false);
  });

  it('offers to try again when the spins are not known', async () => {
    server.weatherOf['/api/roulette/status'] = ['cut'];
    await open();
    expect(screen.getByText('Failed to load your spins')).toBeTruthy();
    fireEvent.click(button(/Retry/));
    await pass(0);
    expect(button(/Free Spin/).disabled).toBe(false);
  });

  it('speaks Russian', async () => {
    changeUser({ language: 'ru' });
    player().streak = 5;
    await open();
    expect(screen.getByRole('main').textContent).toContain('Крутите ещё 2 дня подряд');
    expect(button(/Крутить бесплатно/).textContent).toContain('осталось 10');
  });
});

describe('a win', () => {
  it('is told to who cannot see the wheel, when it has stopped', async () => {
    server.wheel.prizes = [aPrize({ type: 'points_200', segment: 3, points: 200 })];
    await open();
    fireEvent.click(button(/Free Spin/));
    await pass(100);
    expect(said()).toBe('The wheel is turning');
    expect(screen.queryByRole('dialog')).toBeNull();
    await pass(5000);
    expect(said()).toBe('You won. 200 points, straight to your balance');
    const modal = await dialog();
    expect(modal.textContent).toContain('+200');
    expect(modal.textContent).toContain('Claim x3');
    expect(modal.contains(document.activeElement)).toBe(true);
    expect(await faults()).toEqual([]);
  });

  it('of coins says that they are paid, and closes without a call', async () => {
    const reward = aPrize({ type: 'coins_2', segment: 2, coins: 2, canDoubleWithAd: false });
    const { modal } = await won(reward);
    expect(modal.textContent).toContain('2 coins, already in your balance');
    expect(within(modal).queryByRole('button', { name: /Claim x/ })).toBeNull();
    const before = server.requests.length;
    fireEvent.click(within(modal).getByRole('button', { name: 'Claim' }));
    await pass(700);
    await closed();
    expect(server.requests).toHaveLength(before);
  });

  it('of a bonus spin offers no ad', async () => {
    const { modal } = await won(
      aPrize({
        type: 'bonus_spin',
        segment: 6,
        bonus_spin: true,
        additional_reward: { coins: 0, points: 10 },
        canDoubleWithAd: true,
      }),
    );
    expect(modal.textContent).toContain('One more spin, and 10 points');
    expect(within(modal).queryByRole('button', { name: /Claim x/ })).toBeNull();
  });

  it('of a golden spin is its points, never the one more spin beside them', async () => {
    const { modal } = await won(
      aPrize({
        type: 'bonus_spin',
        segment: 6,
        is_golden: true,
        multiplier: 5,
        bonus_spin: true,
        additional_reward: { coins: 0, points: 50 },
        canDoubleWithAd: false,
      }),
    );
    expect(modal.textContent).toContain('You won+5050One more spin, and 50 points');
  });

  it('of a golden chest shows its best piece first, and is doubled by an ad', async () => {
    const { modal } = await won(
      aPrize({
        type: 'chest',
        segment: 0,
        is_golden: true,
        multiplier: 5,
        chest: { type: 'coin_3_spin_1', spins: 1, coins: 15, points: 0, canDoubleWithAd: true },
      }),
    );
    expect(modal.textContent).toContain('Golden spin x5');
    expect(within(modal).getByRole('heading', { name: 'Chest' })).toBeTruthy();
    expect(modal.textContent).toContain('Chest+1515+1Spins');
    expect(modal.textContent).not.toContain('Points');
    expect(within(modal).getByRole('button', { name: 'Claim x2' })).toBeTruthy();
    expect(modal.querySelector('[id="lid-5"]')).toBeTruthy();
    expect(await faults()).toEqual([]);
  });

  it.each([
    [19, false],
    [20, true],
  ])('of a chest of two spins says at %i held whether one is lost', async (daily_spins, lost) => {
    hold({ daily_spins });
    const { root, modal } = await won(
      aPrize({
        type: 'chest',
        segment: 0,
        chest: { type: 'spins_2', spins: 2, coins: 0, points: 0, canDoubleWithAd: false },
      }),
    );
    const words = 'Spins beyond 20 are not kept.';
    expect(modal.textContent).toContain('+2Spins');
    expect(modal.textContent?.includes(words)).toBe(lost);
    await act(() => root.wheel.prize.claim());
    expect(root.user.user?.balance.daily_spins).toBe(20);
    expect(modal.textContent?.includes(words)).toBe(lost); // while it leaves it says what it said
  });

  it('gives the focus back to the button that was pressed', async () => {
    const reward = aPrize({ type: 'coins_1', segment: 8, coins: 1, canDoubleWithAd: false });
    server.wheel.prizes = [reward];
    await open();
    button(/Free Spin/).focus();
    fireEvent.click(button(/Free Spin/));
    await pass(5000);
    fireEvent.click(within(await dialog()).getByRole('button', { name: 'Claim' }));
    await closed();
    await pass(500);
    expect(document.activeElement).toBe(button(/Free Spin/));
  });

  it('comes back after an ad that was not seen to its end', async () => {
    const { modal, host } = await won(aPrize());
    fireEvent.click(within(modal).getByRole('button', { name: 'Claim x2' }));
    await pass(500);
    expect((await dialog()).textContent).toContain('Your ad is playing');
    await act(async () => host.ads?.[0]?.end({ done: false }));
    await pass(500);
    expect((await dialog()).textContent).toContain('+10');
  });
});
