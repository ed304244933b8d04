import { act, render, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { RootContext } from '../../app/RootContext';
import { speak } from '../../i18n';
import { aFriend } from '../../testing/FakeFriends';
import { changeUser, createGame, noon, server, setUpGame } from '../../testing/playGame';
import { pass, press, showGame } from '../../testing/showGame';
import { FriendRow } from './Friends';

setUpGame({ path: '/referral', ticking: true });

async function open() {
  const { root, host } = await showGame();
  await screen.findByText('Share the treasure');
  return { root, host };
}

const many = (count: number) =>
  Array.from({ length: count }, (_, n) => aFriend({ name: `Friend ${count - n}`, days: n % 14 }));
const link = 'https://t.me/mcbk_bot?start=abc';

it('opens Telegram’s own sharing with the player’s link and a text', async () => {
  const { host } = await open();
  await press('Invite Friends');
  const [shared] = host.opened;
  const { origin, pathname, searchParams } = new URL(shared ?? '');
  expect(origin + pathname).toBe('https://t.me/share/url');
  expect(searchParams.get('url')).toBe(link);
  expect(searchParams.get('text')).toContain('Dig for coins with me');
});

it('copies the link, or shows it where it cannot', async () => {
  const { host } = await open();
  await press('Copy link');
  expect(host.copied).toEqual([link]);
  expect(screen.getByText('Copied')).toBeTruthy();
  expect(screen.queryByText(link)).toBeNull();
  host.copied = null;
  await press('Copy link');
  expect(screen.getByText(link)).toBeTruthy();
});

it('does not go on waiting for a number that did not come', async () => {
  server.friends.all = many(3);
  server.weatherOf['/api/referral'] = ['ok', { status: 500, code: 'internal' }];
  await open();
  await pass(50);
  expect(screen.getByText('3 Friends')).toBeTruthy();
  expect(screen.getByText('Could not be loaded')).toBeTruthy();
});

it('says so when there is no link yet, and has it the next time', async () => {
  server.weatherOf['/api/config'] = ['cut', 'cut', 'cut', 'cut'];
  const { host } = await open();
  await press('Invite Friends');
  expect(host.opened).toEqual([]);
  expect(screen.getByText('No connection. Please try again.')).toBeTruthy();
  server.weatherOf['/api/config'] = [];
  await press('Invite Friends');
  expect(host.opened).toHaveLength(1);
});

it('does not blame the connection where nobody knows the bot’s name yet', async () => {
  server.bot = null;
  const { host } = await open();
  await press('Invite Friends');
  expect(screen.getByText('The link is not ready yet. Please try again in a moment.')).toBeTruthy();
  server.bot = 'mcbk_bot';
  await press('Invite Friends');
  expect(host.opened).toHaveLength(1);
});

it('tells what friends have brought so far, apart from the rest', async () => {
  changeUser({
    balance: { game_mcbk: 9, referral_game_mcbk: 1512.5, game_points: 9, referral_game_points: 300 },
  });
  await open();
  const { textContent } = screen.getByRole('main');
  expect(textContent).toContain('Coins from friends1,512.50');
  expect(textContent).toContain('Points from friends300');
  await act(() => speak('ru'));
  expect(screen.getByRole('main').textContent).toContain('Монеты от друзей1\u00a0512,50');
});

it('says that there is no friend', async () => {
  await open();
  await press(/No Friends/);
  const sheet = await screen.findByRole('dialog', { name: 'No Friends' });
  expect(within(sheet).getByText('Friends who join by your link appear here')).toBeTruthy();
});

it('tells how many there are, and how many are complete', async () => {
  server.friends.all = [
    aFriend({ name: 'Кирилл', nickname: 'kir_dig', status: 'completed', reward: 50, days: 14 }),
    aFriend(),
    aFriend({ name: 'Sofia', nickname: '', days: 14 }),
  ];
  await open();
  const peek = await screen.findByRole('button', { name: /3 Friends/ });
  expect(peek.textContent).toContain('1 of 3 counted');
  await press(/3 Friends/);
  expect(await screen.findByRole('dialog', { name: '3 Friends' })).toBeTruthy();
});

it('has the friend who came while the player was in their chats', async () => {
  await open();
  expect(await screen.findByRole('button', { name: /No Friends/ })).toBeTruthy();
  server.friends.all = [aFriend()];
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(50);
  expect(screen.getByRole('button', { name: /1 Friend/ })).toBeTruthy();
});

it('leaves the list as it is while the player reads it, then asks for it, and for nothing once they have gone', async () => {
  server.friends.all = many(45);
  const { root } = await open();
  await press(/45 Friends/);
  const { friendsOf } = await import('./useFriends');
  const { friends } = friendsOf(root);
  await act(() => friends.more());
  await pass(50);
  const asked = (type: string) =>
    server.requests.filter(({ path, query }) => path === '/api/referral' && query.includes(type)).length;
  const [lists, counts] = [asked('all'), asked('completed')];
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(50);
  const { list } = friends;
  expect(list.is === 'rows' && list.rows.length).toBeGreaterThan(20);
  expect([asked('all') - lists, asked('completed') - counts]).toEqual([0, 1]);
  await act(async () => root.modals.closeSheet());
  await pass(50);
  expect(asked('all') - lists).toBe(1);
  await act(async () => root.route.go('/'));
  await pass(50);
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(50);
  expect([asked('all') - lists, asked('completed') - counts]).toEqual([1, 1]);
});

it.each([
  ['en', 'day 14/14', 'day 11/14'],
  ['ru', 'день 14/14', 'день 11/14'],
] as const)('promises nothing for days that are complete, in %s', async (language, complete, begun) => {
  await speak(language);
  const said = (days: number) => {
    const { container } = render(
      <RootContext value={createGame().root}>
        <FriendRow friend={{ ...aFriend({ days }), number: 1 }} />
      </RootContext>,
    );
    return within(container).getByText(/\/14/).textContent;
  };
  expect([said(14), said(11)]).toEqual([complete, begun]);
});

/** Day 42 of the season's 90 is 1 March. */
const onDay = (day: number) => {
  const now = noon + (day - 42) * 86_400_000;
  vi.setSystemTime(now);
  server.serverTime = new Date(now).toISOString();
};

it.each([
  [77, 'A friend must be active for two weeks', 1],
  [78, 'Too late for new friends', 0],
  [90, 'Too late for new friends', 0],
  [91, 'The season is over', 0],
] as const)('on day %i promises only what a new friend can still bring', async (day, words, ways) => {
  onDay(day);
  await open();
  const { textContent } = screen.getByRole('main');
  expect(textContent).toContain(words);
  expect(screen.queryAllByText('How it counts')).toHaveLength(ways);
  expect(textContent).toContain('+1%of the friend’s MCBK purchases');
  expect(textContent?.includes('For each friend who reaches 14 days50')).toBe(day > 77 && day < 91);
  expect(textContent?.includes('For each friend50')).toBe(day === 77);
});

it('promises nothing for a friend who has too few days left', async () => {
  onDay(88);
  const { root } = createGame();
  await root.settings.load();
  const said = (days: number) => {
    const { container } = render(
      <RootContext value={root}>
        <FriendRow friend={{ ...aFriend({ days }), number: 1 }} />
      </RootContext>,
    );
    return container.textContent?.replace(/^.*day/, 'day');
  };
  expect([said(11), said(10), said(14)]).toEqual([
    expect.stringMatching(/^day 11.14.*50/),
    'day 10/14, too late',
    expect.stringMatching(/^day 14.14.*50/),
  ]);
});

it('asks for twenty friends at once, and for the rest as the player scrolls', async () => {
  server.friends.all = many(45);
  const { root } = await open();
  const pages = () =>
    server.requests.filter(({ path, query }) => path === '/api/referral' && query.includes('status=all'));
  expect(pages().map(({ query }) => query)).toEqual(['?status=all&limit=20&offset=0']);
  const { friendsOf } = await import('./useFriends');
  const { friends } = friendsOf(root);
  await act(() => friends.more());
  // Meanwhile somebody joined: the page begins with a friend who is known.
  server.friends.all = many(46);
  await act(() => friends.more());
  const { list } = friends;
  const numbers = list.is === 'rows' ? list.rows.map(({ number }) => number) : [];
  expect(numbers).toEqual(Array.from({ length: 45 }, (_, n) => 45 - n));
});

it('tells in Russian, too', async () => {
  server.friends.all = many(21);
  await open();
  await act(() => speak('ru'));
  await press(/21 друг/);
  expect(await screen.findByRole('dialog', { name: '21 друг' })).toBeTruthy();
});
