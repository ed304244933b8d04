import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { Recap } from '../../api/types';
import { useLanguage } from '../../app/RootContext';
import bag from '../../art/money-bag.svg';
import { formatInteger, rankAmong } from '../../format';
import { Amount } from '../../ui/Amount';
import { cx } from '../../ui/cx';
import { Empty } from '../../ui/Empty';
import flex from '../../ui/flex.module.css';
import { Skeleton } from '../../ui/Skeleton';
import text from '../../ui/text.module.css';
import { CardButton } from './CardButton';
import styles from './RecapCard.module.css';
import { useRecap } from './RecapStore';

/** From a million coins on they are written smaller. */
const long = 1_000_000;

/** The player's season once it is over, in the place of the bag. */
export const RecapCard = observer(function RecapCard() {
  const { season } = useRecap();
  const { t } = useTranslation();
  useEffect(() => {
    if (!season.value) void season.load();
  }, [season]);
  return (
    <section className={styles.recap}>
      <img src={bag} alt="" className={styles.bag} />
      <h2 className={cx(text.title, styles.title)}>{t('recap.title')}</h2>
      <p className={cx(text.sub, styles.thanks)}>{t('tap.thanks')}</p>
      {season.state.is === 'failed' ? (
        <Empty title={t('recap.failed')} onRetry={() => void season.load()} className={styles.panel} />
      ) : season.value ? (
        <Facts recap={season.value} />
      ) : (
        <Skeleton height={194} radius={12} className={styles.panel} />
      )}
      <CardButton of="season" />
    </section>
  );
});

function Facts({ recap }: { recap: Recap }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { days, taps, mcbk, rank, friends, best_win_mcbk: coins, best_win_points: points } = recap;
  const integer = (count: number) => formatInteger(count, language);
  return (
    <dl className={cx(styles.panel, styles.facts)}>
      <Fact label={t('recap.coins')}>
        <Amount
          asset="coin"
          value={mcbk}
          decimals={0}
          className={cx(styles.amount, mcbk >= long && styles.long)}
        />
      </Fact>
      <Fact label={t('home.place')}>
        {rank === null ? t('ranks.unknown') : t('home.rank', { rank: rankAmong(rank, mcbk, language) })}
      </Fact>
      <Fact label={t('recap.days')}>{integer(days)}</Fact>
      <Fact label={t('recap.taps')}>{integer(taps)}</Fact>
      <Fact label={t('recap.friends')}>{integer(friends)}</Fact>
      <Fact label={t('recap.best')}>
        {coins > 0 || points === 0 ? (
          <Amount asset="coin" value={coins} signed trim className={styles.amount} />
        ) : (
          <Amount asset="points" value={points} signed className={styles.amount} />
        )}
      </Fact>
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={cx(flex.column, styles.fact)}>
      <dt className={text.sub}>{label}</dt>
      <dd className={cx(flex.line, styles.figure)}>{children}</dd>
    </div>
  );
}
