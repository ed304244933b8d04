import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { LeaderboardItem, LeaderboardType } from '../../api/types';
import { useRoot } from '../../app/RootContext';
import trophy from '../../art/trophy.svg';
import type { Asset } from '../../ui/Amount';
import { cx } from '../../ui/cx';
import { Empty } from '../../ui/Empty';
import { RankList, RankRow } from '../../ui/RankList';
import { Screen } from '../../ui/Screen';
import { Tabs } from '../../ui/Tabs';
import text from '../../ui/text.module.css';
import { useBoards } from './useBoards';

const tabs = [
  { id: 'coins', text: 'leaderboard.coins' },
  { id: 'points', text: 'leaderboard.points' },
  { id: 'purchased_coins', text: 'leaderboard.purchased' },
] as const satisfies readonly { id: LeaderboardType; text: string }[];

/** Spec §2: the best players in three boards, with the player's own row on top. */
const Leaderboard = observer(function Leaderboard() {
  const boards = useBoards();
  const { t } = useTranslation();
  useEffect(() => boards.watch(), [boards]);
  return (
    <Screen>
      <h1 className={cx(text.title, text.center)}>{t('leaderboard.title')}</h1>
      <Tabs
        label={t('leaderboard.title')}
        tabs={tabs.map((tab) => ({ id: tab.id, text: t(tab.text) }))}
        value={boards.tab}
        onChange={(tab) => boards.choose(tab)}
      >
        <Rows key={boards.tab} />
      </Tabs>
    </Screen>
  );
});

export default Leaderboard;

const Rows = observer(function Rows() {
  const { pages, own, tab, counting } = useBoards();
  const { t } = useTranslation();
  return (
    <RankList
      label={t('leaderboard.title')}
      {...pages.shown}
      row={rows[tab]}
      empty={
        <Empty
          art={trophy}
          title={t('leaderboard.none')}
          {...(counting && { text: t('home.rank_unknown') })}
        />
      }
      pinned={own === null ? undefined : <PlayerRow player={own} type={tab} own />}
    />
  );
});

const rows: Readonly<Record<LeaderboardType, (player: LeaderboardItem) => ReactNode>> = {
  coins: (player) => <PlayerRow player={player} type="coins" />,
  points: (player) => <PlayerRow player={player} type="points" />,
  purchased_coins: (player) => <PlayerRow player={player} type="purchased_coins" />,
};

function PlayerRow({
  player,
  type,
  own = false,
}: {
  player: LeaderboardItem;
  type: LeaderboardType;
  own?: boolean;
}) {
  const { t } = useTranslation();
  const { user } = useRoot().user;
  const [asset, value] = worth(player, type);
  return (
    <RankRow
      grand
      own={own}
      rank={player.rank}
      unranked={t('home.rank_unknown')}
      // The avatar's colour is the same as on Home, where it is derived from another id.
      id={user?.telegram_id === player.telegram_id ? user.id : player.telegram_id}
      name={player.first_name}
      photo={player.photo_url}
      note={t('home.days_short', { count: player.total_days_in_game })}
      asset={asset}
      value={value}
    />
  );
}

/** What a board ranks by, and how much of it the player has. */
function worth(player: LeaderboardItem, type: LeaderboardType): [Asset, number] {
  if (type === 'points') return ['points', player.game_points];
  return ['coin', type === 'coins' ? player.game_mcbk : player.purchased_mcbk];
}
