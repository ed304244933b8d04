import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { aReward } from '../../testing/FakeServer';
import { changeUser, server, setUpGame } from '../../testing/playGame';
import { closed, faults, pass, showGame } from '../../testing/showGame';

setUpGame({ ticking: true });

async function press(name: string) {
  fireEvent.click(await screen.findByRole('button', { name }));
  await pass(0);
}

const dialog = (name: string) => screen.findByRole('dialog', { name });

describe('the daily reward', () => {
  beforeEach(() => {
    server.player(7).due = aReward({ bonusCoin: 2.5, totalDaysInGame: 42, streak: 5 });
  });

  it('says what was paid, for which day, and how many visits there were', async () => {
    await showGame();
    const modal = await dialog('Daily Reward');
    for (const words of ['Your Day 5 Reward', 'Bonus coins', 'Bonus points', 'Total visits: 42 days']) {
      expect(modal.textContent).toContain(words);
    }
    expect(modal.textContent).toContain('+2.50');
    expect(modal.textContent).toContain('+30');
    const days = screen.getByRole('img', { name: '5 of 7 days' });
    expect(days.textContent).toBe(['110', '120', '130', '240', '250', '6260', '3100'].join(''));
    expect(await faults()).toEqual([]);
  });

  it('shows nothing as 0', async () => {
    server.player(7).due = { ...aReward(), bonusPoints: 0, bonusCoin: 0 };
    await showGame();
    const modal = await dialog('Daily Reward');
    expect(modal.textContent).toContain('0Bonus coins0Bonus points');
  });

  it('closes on Claim, and leaves a way to its double', async () => {
    await showGame();
    await dialog('Daily Reward');
    expect(screen.queryByText('48 days left')).toBeNull();
    await press('Claim');
    await closed();
    await press('Reward x2');
    const again = await dialog('Daily Reward');
    expect(again.textContent).toContain('Your Day 5 Reward');
    // What is left to be had is the one gold button.
    const buttons = within(again).getAllByRole('button');
    expect(buttons.map(({ textContent, dataset }) => [textContent, dataset.variant])).toEqual([
      ['Claim x2', 'primary'],
      ['Close', 'quaternary'],
    ]);
  });

  it('is claimed first, also where its modal was rendered before it was earned', async () => {
    server.player(7).user = { ...server.player(7).user, age_consent_accepted: false };
    const { root } = await showGame();
    await pass(3000); // the overlays are rendered
    await act(() => root.user.change({ age_consent_accepted: true }));
    await pass(100);
    expect(within(await dialog('Daily Reward')).getByRole('button', { name: 'Claim' })).toBeTruthy();
  });

  it('doubles after an ad, and says so', async () => {
    const { host } = await showGame();
    await press('Claim x2');
    expect((await dialog('Your ad is playing')).textContent).toContain('Watch it to the end');
    server.confirmAd();
    await act(async () => host.ads?.[0]?.end({ done: true }));
    await closed();
    expect(screen.getByText('Doubled: +1.00 MCBK, +30 points')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Reward x2' })).toBeNull();
    expect(screen.getByText('48 days left')).toBeTruthy();
  });

  it('is offered no double where the server offers none', async () => {
    server.player(7).due = aReward({ canDoubleWithAd: false });
    await showGame();
    await dialog('Daily Reward');
    expect(screen.queryByRole('button', { name: 'Claim x2' })).toBeNull();
  });

  it('says that there are no ads, instead of a button that does nothing', async () => {
    server.ads.config = { enabled: false, script_url: null, block_id: null, mode: 's2s' };
    await showGame();
    const modal = await dialog('Daily Reward');
    expect(modal.textContent).toContain('No ads at the moment');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Claim x2' }).disabled).toBe(true);
    await press('Claim');
    await closed();
  });

  it('speaks Russian', async () => {
    changeUser({ language: 'ru' });
    await showGame();
    const modal = await dialog('Ежедневная награда');
    expect(modal.textContent).toContain('Награда за день 5');
    expect(modal.textContent).toContain('Всего в игре: 42 дня');
    expect(modal.textContent).toContain('+2,50');
  });
});

describe('the ad modal', () => {
  beforeEach(() => {
    server.player(7).due = aReward();
  });

  it('closes by its button whatever the network does, and gives the reward back to be claimed', async () => {
    const { root } = await showGame();
    await press('Claim x2');
    await dialog('Your ad is playing');
    await press('Close');
    await dialog('Daily Reward');
    expect(root.ads.busy).toBe(false);
    await press('Claim');
    await closed();
  });

  it('is not closed by a touch on the ad that lies over it', async () => {
    await showGame();
    // A network may have put its place on the page long before.
    const ad = document.body.appendChild(document.createElement('div'));
    await press('Claim x2');
    await dialog('Your ad is playing');
    await pass(500);
    expect(ad.closest('[inert], [aria-hidden]')).toBeNull();
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
      fireEvent(ad, new MouseEvent(type, { bubbles: true }));
    }
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await pass(500);
    expect(screen.queryByRole('dialog', { name: 'Your ad is playing' })).toBeTruthy();
    ad.remove();
  });

  it('waits calmly, then says that the reward comes by itself', async () => {
    const { host, root } = await showGame();
    await press('Claim x2');
    await dialog('Your ad is playing');
    await act(async () => host.ads?.[0]?.end({ done: true }));
    await pass(1000);
    expect((await dialog('Almost there')).textContent).toContain('confirming');
    await pass(30_000);
    expect((await dialog('On its way')).textContent).toContain('will arrive by itself');
    await press('Close');
    await closed();
    await press('Reward x2');
    expect((await dialog('Daily Reward')).textContent).not.toContain('Waiting for the ad network');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Claim x2' }).disabled).toBe(false);
    server.confirmAd();
    await pass(15_000);
    await closed();
    expect(root.user.user?.balance.game_points).toBe(60);
  });
});

describe('the advice', () => {
  it('is told, and pays when claimed', async () => {
    await showGame();
    await press('Ready Ask for Advice Once a day');
    const modal = await dialog('Advice');
    for (const words of ['Today you will be lucky', 'Dig where others have stopped.', 'Claim 25 points']) {
      expect(modal.textContent).toContain(words);
    }
    await press('Claim 25 points');
    await closed();
    expect(screen.getByText('+25 points')).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Ask for Advice/ }).disabled).toBe(true);
  });

  it('is everybody’s to use', async () => {
    await showGame();
    await press('Ready Ask for Advice Once a day');
    await dialog('Advice');
    expect(await faults()).toEqual([]);
  });

  it('cannot be asked for once it was claimed', async () => {
    changeUser({ can_get_prediction: false });
    await showGame();
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /Ask for Advice/ });
    expect(button.disabled).toBe(true);
    expect(button.textContent).toContain('Done');
  });
});
