import { observer } from 'mobx-react-lite';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import oreStone from '../art/ore-stone.svg';
import type { Pages } from '../stores/Pages';
import { Amount } from '../ui/Amount';
import { Avatar } from '../ui/Avatar';
import { Button } from '../ui/Button';
import { cx } from '../ui/cx';
import { Empty } from '../ui/Empty';
import { InfiniteList } from '../ui/InfiniteList';
import { Row } from '../ui/List';
import { Progress } from '../ui/Progress';
import { RankList, RankRow } from '../ui/RankList';
import { Screen } from '../ui/Screen';
import { Sheet } from '../ui/Sheet';
import { TabBar } from '../ui/TabBar';
import { Tabs } from '../ui/Tabs';
import text from '../ui/text.module.css';
import { type Behaviour, type Player, playersOf, somePages } from './people';

function PlayerRow({ rank, name, days, coins }: Player) {
  const { t } = useTranslation();
  return (
    <RankRow
      grand
      rank={rank}
      id={rank}
      name={name}
      photo=""
      note={t('home.days_short', { count: days })}
      asset="coin"
      value={coins}
    />
  );
}

const playerRow = (player: Player) => <PlayerRow {...player} />;

/** The player of the gallery, with a place or none. */
function Own({ rank = 128, coins = 12_480.25 }: { rank?: number | null; coins?: number }) {
  const { t } = useTranslation();
  return (
    <RankRow
      own
      rank={rank}
      unranked={t('home.rank_unknown')}
      id={42}
      name="Marina"
      photo=""
      note={t('home.days_short', { count: 42 })}
      asset="coin"
      value={coins}
    />
  );
}

type ListProps = { pages: Pages<Player>; pinned?: ReactNode };

const Players = observer(function Players({ pages, pinned }: ListProps) {
  return (
    <RankList
      label="Players"
      {...pages.shown}
      row={playerRow}
      empty={<Empty art={oreStone} title="No data available" />}
      pinned={pinned}
    />
  );
});

const Friends = observer(function Friends({ pages }: ListProps) {
  return (
    <InfiniteList
      raised
      label="Friends"
      {...pages.shown}
      row={friendRow}
      empty={<Empty art={oreStone} title="No Friends" />}
    />
  );
});

function FriendRow({ rank, name, days }: Player) {
  const [open, setOpen] = useState(false);
  return (
    <Row
      lead={<Avatar id={rank} name={name} />}
      title={name}
      note={open ? 'Asked to come back' : `Day ${Math.min(days, 14)} of 14`}
      onPress={() => setOpen(true)}
      end={<Amount asset="points" value={10} signed />}
    >
      {days < 14 && <Progress label={name} value={days} max={14} size="s" tone="cream" />}
    </Row>
  );
}

const friendRow = (player: Player) => <FriendRow {...player} />;

/** ?size, ?total and ?delay change how a list comes. */
function tallList(): Behaviour {
  const query = new URLSearchParams(location.search);
  return Object.fromEntries(
    ['size', 'total', 'delay'].flatMap((name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, Number(value)]];
    }),
  );
}

function Leaderboard({ pages, pinned }: ListProps) {
  const [tab, setTab] = useState<'coins' | 'points' | 'purchased'>('coins');
  return (
    <>
      <Screen>
        <h1 className={cx(text.title, text.center)}>Leaderboard</h1>
        <Tabs
          label="Leaderboard"
          value={tab}
          onChange={setTab}
          tabs={[
            { id: 'coins', text: 'TOP Coins' },
            { id: 'points', text: 'TOP Points' },
            { id: 'purchased', text: 'TOP Purchased Coins' },
          ]}
        >
          <Players pages={pages} pinned={pinned} />
        </Tabs>
      </Screen>
      <TabBar path="/" />
    </>
  );
}

function FriendsSheet({ pages }: ListProps) {
  const [open, setOpen] = useState(true);
  return (
    <>
      <Screen>
        <h1 className={text.title}>Share the treasure</h1>
        <Button variant="secondary" onPress={() => setOpen(true)}>
          Friends
        </Button>
      </Screen>
      <TabBar path="/referral" />
      <Sheet open={open} onClose={() => setOpen(false)} title="500 Friends">
        <Friends pages={pages} />
      </Sheet>
    </>
  );
}

/** Nothing but rows that cannot be pressed. */
function Bare({ pages }: ListProps) {
  return (
    <Screen noTabBar>
      <h1 className={text.title}>Players</h1>
      <Players pages={pages} />
    </Screen>
  );
}

/** The list of a screen about to be shown: made and started before anything is drawn, as main.tsx does with the game's stores. */
function started(behaviour: Behaviour): Pages<Player> {
  const pages = somePages(playersOf(document.documentElement.lang), { ...behaviour, ...tallList() });
  void pages.load();
  return pages;
}

export const lists: Record<string, () => ReactNode> = {
  list: () => <Leaderboard pages={started({ delay: 300 })} pinned={<Own />} />,
  'list-long': () => <Bare pages={started({ size: 10_000 })} />,
  'list-loading': () => <Leaderboard pages={started({ answered: 0, after: 'silence' })} pinned={<Own />} />,
  'list-counted': () => <Leaderboard pages={started({ total: 0 })} pinned={<Own rank={null} coins={0} />} />,
  'list-rich': () => <Leaderboard pages={started({})} pinned={<Own rank={4} coins={12_345_678.9} />} />,
  'list-far': () => <Leaderboard pages={started({})} pinned={<Own rank={1_234_567} coins={3.25} />} />,
  'list-more': () => <Leaderboard pages={started({ size: 8, answered: 1, after: 'silence' })} />,
  'list-failed': () => <Leaderboard pages={started({ answered: 0, after: 'failure' })} />,
  'list-more-failed': () => <Leaderboard pages={started({ size: 4, answered: 1, after: 'failure' })} />,
  'list-empty': () => <Leaderboard pages={started({ total: 0 })} />,
  'list-sheet': () => <FriendsSheet pages={started({ size: 20, total: 500 })} />,
};
