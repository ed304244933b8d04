import { act, fireEvent, render, screen, within } from '@testing-library/react';
import axe from 'axe-core';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { speak } from '../../i18n';
import { aLeader, someLeaders } from '../../testing/FakeLeaderboard';
import { server, setUpGame } from '../../testing/playGame';
import { pass, showGame } from '../../testing/showGame';
import { RankRow } from '../../ui/RankList';

setUpGame({ path: '/leaderboard', ticking: true });

beforeEach(() => {
  // jsdom lays nothing out: here the screen scrolls, and whatever is measured is as high as a row.
  document.documentElement.style.setProperty('--row-h', '60px');
  document.head.innerHTML = '<style>main { overflow-y: auto }</style>';
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(60);
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(6000);
  server.leaderboard.others = someLeaders(250);
});

afterEach(() => {
  document.head.innerHTML = '';
});

async function open() {
  const { root } = await showGame();
  await screen.findByRole('heading', { name: 'Leaderboard' });
  await pass(50);
  return root;
}

const choose = async (name: string) => {
  fireEvent.click(screen.getByRole('tab', { name }));
  await pass(50);
};

/** The player's own row. */
const own = () => {
  const row = screen.getByText('You').closest('[class*="row"]');
  if (!row) throw new Error('there is no own row');
  return row.textContent;
};

/** The first three rows of the list. */
const best = () => {
  const list = screen.getByRole('list', { name: 'Leaderboard' });
  return within(list)
    .getAllByRole('listitem')
    .slice(0, 3)
    .map((row) => row.textContent);
};

it('has the player’s own row on top of each board, with what it ranks by', async () => {
  await open();
  expect(own()).toBe('#128MMarinaYou42 days12,480');
  expect(best()).toEqual(['ААртём41 days214,880', 'LLéa42 days198,412', 'JJohannes39 days171,006']);
  await choose('TOP Points');
  expect(best()[0]).toBe('ААртём41 days30,697');
  expect(own()).toBe('#75MMarinaYou42 days4,120');
  expect(screen.getByRole('tabpanel').querySelector('img[alt="Points"]')).toBeTruthy();
  await choose('TOP Purchased Coins');
  expect(own()).toBe('#116MMarinaYou42 days7,500');
  expect((await axe.run(document.body, { rules: { region: { enabled: false } } })).violations).toEqual([]);
});

it('says that there is nobody', async () => {
  server.leaderboard.others = [];
  server.leaderboard.counting = true;
  await open();
  expect(screen.getByText('No data available')).toBeTruthy();
  expect(own()).toContain('#–');
  expect(screen.getByText('Calculating your place')).toBeTruthy();
});

it('offers to try again where it did not come', async () => {
  server.weatherOf['/api/leaderboard'] = Array(4).fill('cut');
  await open();
  await pass(20_000);
  expect(screen.getByText('No connection. Please try again.')).toBeTruthy();
  expect(own()).toContain('#–');
  server.weatherOf['/api/leaderboard'] = [];
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await pass(50);
  expect(own()).toContain('#128');
});

it('is where the player’s place on Home leads to', async () => {
  await showGame({ path: '/' });
  fireEvent.click(await screen.findByRole('link', { name: /Your Place/ }));
  expect(await screen.findByRole('tab', { name: 'TOP Coins' })).toBeTruthy();
});

it('tells in Russian, too', async () => {
  await open();
  await act(() => speak('ru'));
  expect(screen.getByRole('heading', { name: 'Лидеры' })).toBeTruthy();
  expect(screen.getByText('Вы').closest('[class*="row"]')?.textContent).toBe(
    '#128MMarinaВы42 дня12\u00a0480',
  );
});

it('gives the first three a medal, all others their place', () => {
  const { container } = render(
    [1, 3, 4, 1000].map((rank) => (
      <RankRow
        key={rank}
        grand
        rank={rank}
        id={rank}
        name="Léa"
        photo=""
        note="42 days"
        asset="coin"
        value={aLeader().game_mcbk}
      />
    )),
  );
  const rows = [...container.children].map((row) => row.textContent);
  expect(rows).toEqual([
    'LLéa42 days12,480',
    'LLéa42 days12,480',
    '#4LLéa42 days12,480',
    '#1,000LLéa42 days12,480',
  ]);
  const medals = within(container).getAllByRole('img', { name: /#/ });
  expect(medals.map((medal) => medal.getAttribute('alt'))).toEqual(['#1', '#3']);
});

it.each([
  [1000.99, '1,000'],
  [999.999, '999.99'],
  [0.004, '0.00'],
])('writes %d coins as %s in every row', (value, words) => {
  const { container } = render(
    [1, 2, 4].map((rank) => (
      <RankRow
        key={rank}
        grand
        own={rank === 2}
        rank={rank}
        id={1}
        name="Léa"
        photo=""
        note=""
        asset="coin"
        value={value}
      />
    )),
  );
  for (const row of container.children) expect(row.textContent?.endsWith(words)).toBe(true);
});

it.each([0, -2.5])('gives nobody with %d coins a medal or a rank', (value) => {
  render(
    [1, 4].map((rank) => (
      <RankRow
        key={rank}
        grand
        rank={rank}
        unranked="not counted"
        id={1}
        name="Léa"
        photo=""
        note=""
        asset="coin"
        value={value}
      />
    )),
  );
  expect(screen.queryByAltText('#1')).toBeNull();
  expect(screen.getAllByText('#–')).toHaveLength(2);
  expect(screen.queryByTitle('not counted')).toBeNull();
});

it('gives the player’s own row a medal, too', () => {
  render(
    [2, 4].map((rank) => (
      <RankRow
        key={rank}
        grand
        own
        rank={rank}
        id={rank}
        name="Léa"
        photo=""
        note=""
        asset="coin"
        value={12.5}
      />
    )),
  );
  expect(screen.getByAltText('#2')).toBeTruthy();
  expect(screen.getByText('#4')).toBeTruthy();
  expect(screen.getAllByText('12')).toHaveLength(2);
});

it('says why a player has no place yet', () => {
  render(
    <RankRow
      own
      rank={null}
      unranked="not counted"
      id={1}
      name="Léa"
      photo=""
      note=""
      asset="coin"
      value={0}
    />,
  );
  expect(screen.getByTitle('not counted').textContent).toBe('#–');
});
