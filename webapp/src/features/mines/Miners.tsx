import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Miner } from '../../api/types';
import { useLanguage } from '../../app/RootContext';
import stone from '../../art/ore-stone.svg';
import mark from '../../art/ton.svg';
import { formatInteger } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { Amount } from '../../ui/Amount';
import { cx } from '../../ui/cx';
import { Empty } from '../../ui/Empty';
import { medals } from '../../ui/medals';
import { RankList, RankRow } from '../../ui/RankList';
import { Screen } from '../../ui/Screen';
import text from '../../ui/text.module.css';
import styles from './Miners.module.css';
import { useMines } from './Mines';

const row = (miner: Miner) => <MinerRow miner={miner} />;

/** Spec §2: the best miners of the tournament, with the player's own row on top. */
export const Miners = observer(function Miners() {
  const mines = useMines();
  const { board, tournament } = mines;
  const { t } = useTranslation();
  useEffect(() => {
    mines.refetch();
    return mines.board.watch();
  }, [mines]);
  return (
    <Screen>
      <h1 className={cx(text.title, text.center)}>{t('mines.top')}</h1>
      <Podium />
      <RankList
        label={t('mines.top')}
        {...board.miners.shown}
        row={row}
        empty={<Empty art={stone} title={t(tournament.ended ? 'mines.none_came' : 'mines.none')} />}
        pinned={board.me === null ? undefined : <MinerRow miner={board.me} own />}
      />
    </Screen>
  );
});

/** What the first three win, by the server's own table. */
const Podium = observer(function Podium() {
  const { status } = useMines().tournament;
  const { t } = useTranslation();
  const language = useLanguage();
  const steps = [2, 1, 3].flatMap((rank) => {
    const prize = status?.rules.prizes.find(({ from, to }) => from <= rank && rank <= to);
    return prize ? [{ rank, ...prize }] : [];
  });
  return (
    <div className={styles.podium}>
      {steps.map(({ rank, ton, mcbk }) => (
        <div key={rank} className={cx(styles.step, rank === 1 && styles.winner)}>
          <img src={medals[rank - 1]} alt={`#${rank}`} className={styles.relic} />
          {ton > 0 && (
            <span className={cx(text.numM, styles.ton)}>
              <img src={mark} alt={t('common.ton')} width={22} height={22} />
              {formatTrimmed(ton, language)}
            </span>
          )}
          <Amount asset="coin" value={mcbk} decimals={0} className={styles.coins} />
        </div>
      ))}
    </div>
  );
});

function MinerRow({ miner, own = false }: { miner: Miner; own?: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { rank, user, mcbk, taps } = miner;
  return (
    <RankRow
      own={own}
      rank={rank || null}
      id={user.id}
      name={user.first_name}
      photo={user.photo_url}
      note={t('mines.taps', { count: taps, shown: formatInteger(taps, language) })}
      asset="coin"
      value={mcbk}
    />
  );
}
