import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { MinesStatus } from '../../api/types';
import { useLanguage } from '../../app/RootContext';
import { formatInteger } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { errorKey } from '../../i18n/errors';
import { Amount } from '../../ui/Amount';
import { cx } from '../../ui/cx';
import { Empty } from '../../ui/Empty';
import flex from '../../ui/flex.module.css';
import { Icon } from '../../ui/Icon';
import { List, ListRow } from '../../ui/List';
import { medals } from '../../ui/medals';
import { Screen } from '../../ui/Screen';
import { Skeleton } from '../../ui/Skeleton';
import text from '../../ui/text.module.css';
import { useMinePrice } from './MinePrice';
import { useMines } from './Mines';
import { oreOf } from './ores';
import styles from './Rules.module.css';

/** Of the first three places. */
const ordinals = ['mines.first', 'mines.second', 'mines.third'] as const;

/** Spec §2: the rules, with all figures from the server. */
export const Rules = observer(function Rules() {
  const mines = useMines();
  const { t } = useTranslation();
  useEffect(() => {
    mines.refetch();
    void mines.purchase.loadTrade().then((trade) => void trade?.market.loadConfig()); // prices may be in Stars
  }, [mines]);
  const { tournament } = mines;
  const { state } = tournament.resource;
  const { status } = tournament;
  return (
    <Screen reading>
      <h1 className={text.title}>{t('mines.title')}</h1>
      {status ? (
        <LoadedRules status={status} />
      ) : state.is === 'failed' ? (
        <Empty icon="offline" title={t(errorKey(state.error.code))} onRetry={() => void tournament.load()} />
      ) : (
        <Skeleton width="100%" height={72} radius={16} />
      )}
    </Screen>
  );
});

const LoadedRules = observer(function LoadedRules({ status }: { status: MinesStatus }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { rules, available_levels: levels } = status;
  const [entry] = levels;
  const price = useMinePrice()(entry ?? { cost: 0 });
  return (
    <>
      <div className={styles.facts}>
        <Fact art={price.art} value={price.short} says={t('mines.entry_fact')} />
        <Fact value={formatInteger(entry?.energy ?? 0, language)} says={t('mines.energy_fact')} />
        <Fact value={t('mines.hours', { hours: rules.window_hours })} says={t('mines.restore_fact')} />
      </div>
      <h2 className={text.head}>{t('mines.prizes', { days: rules.tournament_days })}</h2>
      <Prizes prizes={rules.prizes} />
      <h2 className={text.head}>{t('mines.table')}</h2>
      <Levels levels={levels} />
      <div className={cx(flex.column, text.sub, styles.notes)}>
        <p>{t('mines.rule_tap', { energy: rules.energy_per_tap })}</p>
        <p>{t('mines.rule_daily', { days: rules.daily_days, times: rules.daily_factor })}</p>
        <p>{t('mines.rule_prize', { ore: formatTrimmed(rules.least_prize_mcbk, language) })}</p>
        <p>{t('mines.rule_paid')}</p>
      </div>
    </>
  );
});

function Fact({ art, value, says }: { art?: string; value: string; says: string }) {
  return (
    <div>
      <span className={cx(flex.line, text.numM, styles.figure)}>
        {art && <img src={art} alt="" width={22} height={22} />}
        {value}
      </span>
      <span className={text.sub}>{says}</span>
    </div>
  );
}

function Prizes({ prizes }: { prizes: MinesStatus['rules']['prizes'] }) {
  const { t } = useTranslation();
  return (
    <List className={styles.prizes}>
      {prizes.map(({ from, to, ton: won, mcbk }) => {
        const ordinal = from === to ? ordinals[from - 1] : undefined;
        return (
          <ListRow
            key={from}
            className={styles.prize}
            lead={
              ordinal ? (
                <img src={medals[from - 1]} alt="" width={30} height={30} />
              ) : (
                <span className={styles.icon}>
                  <Icon name="medal" size={18} />
                </span>
              )
            }
            title={ordinal ? t(ordinal) : t('mines.range', { from, to })}
            end={
              <>
                {won > 0 && <Amount asset="ton" value={won} className={styles.won} />}
                <Amount asset="coin" value={mcbk} decimals={0} className={styles.won} />
              </>
            }
          />
        );
      })}
    </List>
  );
}

const Levels = observer(function Levels({ levels }: { levels: MinesStatus['available_levels'] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const price = useMinePrice();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('mines.name')}</th>
          <th scope="col">{t('mines.price')}</th>
          <th scope="col">{t('mines.energy')}</th>
          <th scope="col">{t('mines.tap')}</th>
        </tr>
      </thead>
      <tbody>
        {levels.map(({ level, cost, energy, mcbk_per_tap }) => (
          <tr key={level}>
            <th scope="row">
              <span className={cx(flex.line, styles.mine)}>
                <img src={oreOf(level).art} alt="" />
                {t(oreOf(level).name)}
              </span>
            </th>
            <td>{price({ cost }).short}</td>
            <td>{formatInteger(energy, language)}</td>
            <td>{formatTrimmed(mcbk_per_tap, language)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
});
