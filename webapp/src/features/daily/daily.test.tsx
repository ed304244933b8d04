import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import axe from 'axe-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../../app/App';
import { RootContext } from '../../app/RootContext';
import { RootStore } from '../../app/RootStore';
import { speak } from '../../i18n';
import { aReward, FakeServer } from '../../testing/FakeServer';
import { createTestPlatform } from '../../testing/platform';

let server: FakeServer;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse('2026-03-01T12:00:00Z') });
  localStorage.clear();
  window.history.replaceState(null, '', '/');
  window.scrollTo = vi.fn();
  server = new FakeServer();
});

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  await speak('en');
});

async function open() {
  const { platform, host } = createTestPlatform(server);
  const root = new RootStore({ ...platform, speak });
  render(
    <RootContext value={root}>
      <App />
    </RootContext>,
  );
  void root.boot.start();
  await pass(2500);
  return { root, host };
}

async function pass(time: number) {
  await act(() => vi.advanceTimersByTimeAsync(time));
}

async function press(name: string) {
  fireEvent.click(await screen.findByRole('button', { name }));
  await pass(0);
}

const dialog = (name: string) => screen.findByRole('dialog', { name });
const closed = () => vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

async function faults() {
  vi.useRealTimers();
  const { violations } = await axe.run(document.body, {
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  return violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
}

describe('the daily reward', () => {
  beforeEach(() => {
    server.player(7).due = aReward({ bonusCoin: 2.5, totalDaysInGame: 42, streak: 5 });
  });

  it('says what was paid, for which day, and how many visits there were', async () => {
    await open();
    const modal = await dialog('Daily Reward');
    for (const words of ['Your Day 5 Reward', 'Bonus coins', 'Bonus points', 'Total visits: 42 days']) {
      expect(modal.textContent).toContain(words);
    }
    expect(modal.textContent).toContain('+2.50');
    expect(modal.textContent).toContain('+30');
    expect(screen.getByRole('img', { name: '5 of 7 days' })).toBeTruthy();
    expect(await faults()).toEqual([]);
  });

  it('shows nothing as 0', async () => {
    server.player(7).due = { ...aReward(), bonusPoints: 0, bonusCoin: 0 };
    await open();
    const modal = await dialog('Daily Reward');
    expect(modal.textContent).toContain('0Bonus coins0Bonus points');
  });

  it('closes on Claim, and leaves a way to its double', async () => {
    await open();
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
    const { root } = await open();
    await pass(3000); // the overlays are rendered
    await act(() => root.user.acceptAge());
    await pass(100);
    expect(within(await dialog('Daily Reward')).getByRole('button', { name: 'Claim' })).toBeTruthy();
  });

  it('doubles after an ad, and says so', async () => {
    const { host } = await open();
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
    await open();
    await dialog('Daily Reward');
    expect(screen.queryByRole('button', { name: 'Claim x2' })).toBeNull();
  });

  it('says that there are no ads, instead of a button that does nothing', async () => {
    server.ads = { enabled: false, script_url: null, block_id: null, mode: 's2s' };
    await open();
    const modal = await dialog('Daily Reward');
    expect(modal.textContent).toContain('No ads at the moment');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Claim x2' }).disabled).toBe(true);
    await press('Claim');
    await closed();
  });

  it('speaks Russian', async () => {
    const player = server.player(7);
    player.user = { ...player.user, language: 'ru' };
    await open();
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
    const { root } = await open();
    await press('Claim x2');
    await dialog('Your ad is playing');
    await press('Close');
    await dialog('Daily Reward');
    expect(root.ads.busy).toBe(false);
    await press('Claim');
    await closed();
  });

  it('is not closed by a touch on the ad that lies over it', async () => {
    await open();
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
    const { host, root } = await open();
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
    await open();
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
    await open();
    await press('Ready Ask for Advice Once a day');
    await dialog('Advice');
    expect(await faults()).toEqual([]);
  });

  it('cannot be asked for once it was claimed', async () => {
    const player = server.player(7);
    player.user = { ...player.user, can_get_prediction: false };
    await open();
    const button = screen.getByRole<HTMLButtonElement>('button', { name: /Ask for Advice/ });
    expect(button.disabled).toBe(true);
    expect(button.textContent).toContain('Done');
  });
});
