import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aReward } from '../testing/FakeServer';
import { aTask } from '../testing/FakeTasks';
import { changeUser, server, setUpGame } from '../testing/playGame';
import { faults, pass, showGame } from '../testing/showGame';

setUpGame({ ticking: true });

beforeEach(() => {
  vi.stubEnv('TZ', 'Asia/Tbilisi'); // four hours ahead
});

async function open(path = '/') {
  const { root, host } = await showGame({ path });
  await pass(100);
  return { root, host };
}

function inRussian() {
  changeUser({ language: 'ru' });
}

/** The server's player outside of the season, of whom it says so. */
function idle() {
  changeUser({ can_get_prediction: false });
}

/** The season starts in three days, and at 14:30 where the player is. */
function ahead() {
  idle();
  server.seasonStart = '2026-03-04T10:30:00Z';
}

function over() {
  idle();
  server.seasonStart = '2025-11-01T00:00:00Z';
}

const advice = (name = /Ask for Advice/) => screen.getByRole<HTMLButtonElement>('button', { name });

describe('the bag', () => {
  it.each([
    ['en', 'The season starts', 'March 4 at 14:30'],
    ['ru', 'Начало сезона', '4 марта в 14:30'],
  ])('says before the season when it starts, in %s', async (language, words, date) => {
    ahead();
    if (language === 'ru') inRussian();
    await open('/tap');
    expect(screen.getByText(words).closest('[role="status"]')?.textContent).toBe(words + date);
  });

  it.each([
    ['en', 'The season is over', 'Thank you for playing!'],
    ['ru', 'Сезон окончен', 'Спасибо за игру!'],
  ])('says after the season that it is over, in %s', async (language, words, thanks) => {
    over();
    if (language === 'ru') inRussian();
    await open('/tap');
    expect(screen.getByText(words).closest('[role="status"]')?.textContent).toBe(words + thanks);
  });

  it('cannot be tapped out of the season', async () => {
    over();
    const { root } = await open('/tap');
    const bag = screen.getByRole<HTMLButtonElement>('button', { name: 'Tap the money bag' });
    fireEvent.click(bag, { detail: 0 });
    fireEvent.pointerDown(bag, { button: 0 });
    await pass(100);
    expect([bag.disabled, root.tap.batches.count]).toEqual([true, 0]);
    expect(screen.queryByText('+0.001')).toBeNull();
  });

  it('opens by itself when the season starts', async () => {
    server.seasonStart = '2026-03-01T12:00:05Z';
    const { root } = await open('/tap');
    expect(screen.getByText('The season starts')).toBeTruthy();
    server.serverTime = server.seasonStart;
    await pass(3000);
    expect(screen.queryByText('The season starts')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Tap the money bag' }), { detail: 0 });
    expect(root.tap.batches.count).toBe(1);
  });

  it('tells when it is full again, but for the season’s last day, which no other follows', async () => {
    server.energyMax = 0;
    server.player(7).energy = 0;
    await open('/tap');
    expect(screen.getByText(/^Full again in 11:59:/)).toBeTruthy();
    cleanup();
    server.seasonStart = '2025-12-02T00:00:00Z';
    await open('/tap');
    expect(screen.getByText('Your energy is depleted for today')).toBeTruthy();
    expect(screen.queryByText(/Full again/)).toBeNull();
  });
});

describe('home', () => {
  it.each([
    ['en', 'Starts March 4 at 14:30', 'Season over', /Ask for Advice/],
    ['ru', 'Начало 4 марта в 14:30', 'Сезон окончен', /Спросить совет/],
  ])('says where the season stands, in %s', async (language, starts, ended, name) => {
    ahead();
    if (language === 'ru') inRussian();
    await open();
    expect(
      screen.getByText((_, node) => node?.tagName === 'SPAN' && node.textContent === starts),
    ).toBeTruthy();
    expect(screen.getByRole('img', { name: starts })).toBeTruthy();
    expect(screen.queryByText(/90/)).toBeNull();
    expect(advice(name).textContent).not.toMatch(/Done|Получен/);
    expect(advice(name).textContent).toContain(language === 'en' ? 'Starts Mar 4' : 'Начало 4 мар.');
    cleanup();
    over();
    await open();
    expect(screen.getByRole('img', { name: ended })).toBeTruthy();
    expect(screen.getAllByText(ended)).toHaveLength(4); // above the trail, on the advice, the mines, and the tasks
    expect(screen.queryByText(/90/)).toBeNull();
    expect(advice(name).textContent).not.toMatch(/Done|Получен/);
  });

  it('counts its days from the hour it started at', async () => {
    server.seasonStart = '2026-01-19T12:00:10Z';
    await open();
    const says = (day: string) =>
      screen.queryByText((_, node) => node?.tagName === 'SPAN' && node.textContent === day);
    expect(says('Day 41 of 90')).toBeTruthy();
    await pass(10_000);
    expect([says('Day 41 of 90'), says('Day 42 of 90') !== null]).toEqual([null, true]);
  });

  it('offers nothing more on the last day once the season has ended', async () => {
    server.seasonStart = '2025-12-01T11:00:00Z';
    server.circle = { is_eligible: true, reward_claimed: false };
    changeUser({ daily_reward: aReward() });
    const { root } = await open();
    expect(root.daily.doublable).not.toBeNull();
    expect([root.modals.shown, screen.queryByText('Reward x2')]).toEqual([null, null]);
  });

  it('calls nobody to a bag that is closed', async () => {
    ahead();
    await open();
    expect(screen.queryByText('Start tapping')).toBeNull();
    expect(screen.getByRole('heading', { name: 'The bag is closed' })).toBeTruthy();
  });

  it('says of an advice that it is done only when it was taken', async () => {
    idle();
    await open();
    expect(advice().textContent).toMatch(/^DoneAsk for AdviceNext in 11:59:/);
    cleanup();
    changeUser({ age_consent_accepted: false });
    await open();
    expect(screen.getByText('Ask for Advice').closest('button')?.textContent).toBe(
      'Ask for AdviceOnce a day',
    );
  });

  it('says nothing of an advice that the server was asked of before the season', async () => {
    idle();
    server.seasonStart = '2026-03-01T12:00:04Z';
    await open();
    server.online = false;
    await pass(3000);
    expect(advice().textContent).not.toContain('Done');
  });

  it('is everybody’s to use before the season', async () => {
    ahead();
    await open();
    expect(await faults()).toEqual([]);
  });
});

describe('the wheel', () => {
  const spins = () => screen.findAllByRole<HTMLButtonElement>('button', { name: /Spin|бесплатно|реклам/ });

  it.each([
    ['en', ahead, /Starts Mar 4$/],
    ['ru', ahead, /Начало 4 мар\.$/],
    ['en', over, /Season over$/],
    ['ru', over, /Сезон окончен$/],
  ])('cannot be spun out of the season and says why, in %s', async (language, when, words) => {
    when();
    if (language === 'ru') inRussian();
    const { root } = await open('/roulette');
    expect((await spins()).map(({ disabled }) => disabled)).toEqual([true, true]);
    for (const button of await spins()) expect(button.textContent).toMatch(words);
    const asked = server.requests.length;
    await root.wheel.spin(false);
    await root.wheel.takeAdSpin();
    expect(server.requests).toHaveLength(asked);
  });

  it('opens by itself when the season starts', async () => {
    server.seasonStart = '2026-03-01T12:00:05Z';
    await open('/roulette');
    expect((await spins()).map(({ disabled }) => disabled)).toEqual([true, true]);
    server.serverTime = server.seasonStart;
    await pass(3000);
    expect((await spins()).map(({ disabled }) => disabled)).toEqual([false, false]);
  });
});

describe('the tasks', () => {
  const link = { external_url: 'https://t.me/mcbk_news', isPermanent: true, task_date: 'permanent' };
  const join = aTask({ id: 2, task_id: 12, title: 'Join', action_type: 'exchange_join', ...link });
  const news = aTask({ id: 3, task_id: 13, title: 'News', action_type: 'telegram_subscription', ...link });
  const spent = aTask({ id: 4, title: 'Spent', status: 'completed' });

  async function panel() {
    server.tasks.lists = { tasks: [aTask(), spent], permanent_tasks: [join, news] };
    const opened = await open();
    const peek = screen.getByRole('button', { name: /Daily Tasks|Ежедневные задания/ });
    act(() => opened.root.modals.openSheet('tasks'));
    await screen.findAllByRole('listitem');
    return { ...opened, peek, sheet: screen.getByRole('dialog') };
  }

  it.each([
    ['en', ahead, /^Daily TasksStarts Mar 4$/, /Starts March 4 at \d\d:30.*will arrive by themselves/],
    ['ru', ahead, /^Ежедневные заданияНачало 4 мар\.$/, /Начало 4 марта в \d\d:30.*придут сами/],
    ['en', over, /^Daily TasksSeason over$/, /will arrive by themselves/],
    ['ru', over, /^Ежедневные заданияСезон окончен$/, /придут сами/],
  ])('are closed out of the season, and say why, in %s', async (language, when, words, paid) => {
    when();
    if (language === 'ru') inRussian();
    const { peek, sheet } = await panel();
    expect(peek.textContent).toMatch(words);
    expect(sheet.textContent).toMatch(paid);
    expect(within(sheet).queryByRole('progressbar')).toBeNull();
    expect(sheet.textContent).not.toMatch(/\d\/10|1 of 2|1 из 2/);
    const buttons = within(sheet).getAllByRole<HTMLButtonElement>('button', {
      name: /^(Claim|Visit|Check|Забрать|Перейти|Проверить):/,
    });
    expect(buttons.map(({ disabled }) => disabled)).toEqual([true, true, true]);
  });

  it('promise nothing where nothing waits', async () => {
    over();
    server.tasks.lists = { tasks: [aTask()], permanent_tasks: [] };
    const { root } = await open();
    act(() => root.modals.openSheet('tasks'));
    expect((await screen.findByRole('dialog')).textContent).not.toContain('by themselves');
  });

  it('open no link and ask for nothing', async () => {
    over();
    const { root, host } = await panel();
    const asked = server.requests.length;
    root.tasks.visit(join);
    root.tasks.check(news);
    root.tasks.claim(spent);
    await pass(10);
    expect([host.opened, server.requests.length, root.toasts.shown]).toEqual([[], asked, null]);
  });

  it('close as soon as the server says that the season is over', async () => {
    const { root, sheet } = await panel();
    server.weatherOf['/api/tasks/claim'] = [{ status: 409, code: 'season_over' }];
    server.seasonStart = '2025-11-01T00:00:00Z';
    root.tasks.claim(spent);
    await pass(10);
    expect(root.toasts.shown?.text).toBe('errors.season_over');
    expect(sheet.textContent).toContain('Season over');
  });
});

describe('the next day', () => {
  it('is counted down to where no free spin is left', async () => {
    changeUser({ balance: { daily_spins: 0 } });
    await open('/roulette');
    expect(await screen.findByText(/^New in 11:59:/)).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Free Spin ?0 left$/ })).toBeTruthy();
    cleanup();
    server.seasonStart = '2025-12-02T00:00:00Z';
    await open('/roulette');
    expect(await screen.findByText('0 left')).toBeTruthy();
    expect(screen.queryByText(/New in/)).toBeNull();
  });

  it('is counted down to below tasks of which none is left', async () => {
    server.tasks.lists = { tasks: [aTask({ status: 'claimed' })], permanent_tasks: [] };
    const { root } = await open();
    act(() => root.modals.openSheet('tasks'));
    expect(await screen.findByText(/^New tasks in 11:5/)).toBeTruthy();
    server.tasks.lists = { tasks: [aTask({ status: 'completed' })], permanent_tasks: [] };
    await act(() => root.tasks.load());
    expect(screen.queryByText(/New tasks in/)).toBeNull();
  });
});
