import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { RetiredSeed } from '../../api/types';
import { useLanguage } from '../../app/RootContext';
import chest from '../../art/chest.svg';
import { formatInteger } from '../../format';
import { errorKey } from '../../i18n/errors';
import { Card } from '../../ui/Card';
import { Empty } from '../../ui/Empty';
import flex from '../../ui/flex.module.css';
import { Icon } from '../../ui/Icon';
import { InfiniteList } from '../../ui/InfiniteList';
import { List, ListRow } from '../../ui/List';
import look from '../../ui/List.module.css';
import { Screen } from '../../ui/Screen';
import text from '../../ui/text.module.css';
import { Waiting } from '../../ui/Waiting';
import { ClientSeed } from './ClientSeed';
import { Copied } from './Copied';
import styles from './Fairness.module.css';
import { Odds } from './Odds';
import { PastSeed } from './PastSeed';
import { useFairness } from './useFairness';

const steps = [
  { n: 1, title: 'fairness.step_1', note: 'fairness.step_1_note' },
  { n: 2, title: 'fairness.step_2', note: 'fairness.step_2_note' },
  { n: 3, title: 'fairness.step_3', note: 'fairness.step_3_note' },
] as const;

/** Spec §2 and §4: the odds, the seeds, and a check of every past spin. */
export default function Fairness() {
  const fairness = useFairness();
  const { t } = useTranslation();
  useEffect(() => void fairness.load(), [fairness]);
  return (
    <Screen className={styles.fairness}>
      <div>
        <h1 className={text.title}>{t('fairness.title')}</h1>
        <p className={styles.intro}>{t('fairness.intro')}</p>
      </div>
      <List label={t('fairness.steps')} className={look.numbered}>
        {steps.map(({ n, title, note }) => (
          <ListRow key={n} lead={<span className={look.number}>{n}</span>} title={t(title)} note={t(note)} />
        ))}
      </List>
      <CurrentSeed />
    </Screen>
  );
}

/** The server's current seed. */
const CurrentSeed = observer(function CurrentSeed() {
  const fairness = useFairness();
  const { t } = useTranslation();
  const language = useLanguage();
  const { current, retired } = fairness;
  if (!current)
    return retired.list.is === 'failed' ? (
      <Empty icon="offline" title={t(errorKey(retired.list.error.code))} onRetry={() => retired.retry()} />
    ) : (
      <Waiting />
    );
  return (
    <>
      <Odds title={t('fairness.wheel')} odds={current.odds} />
      <Odds title={t('fairness.chest_holds')} odds={current.chest_odds} />
      <section className={flex.column}>
        <h2 className={text.head}>{t('fairness.seeds')}</h2>
        <List className={styles.seeds}>
          <Copied label={t('fairness.hash')} value={current.server_seed_hash} />
          <Copied label={t('fairness.next_hash')} value={current.next_server_seed_hash} />
          <Copied label={t('fairness.client')} value={current.client_seed} />
          <Copied label={t('fairness.nonce')} value={formatInteger(current.nonce, language)} />
        </List>
      </section>
      <section className={flex.column}>
        <h2 className={text.head}>{t('fairness.change')}</h2>
        <p className={text.sub}>{t('fairness.change_note')}</p>
        <ClientSeed />
      </section>
      <Past />
    </>
  );
});

const Past = observer(function Past() {
  const fairness = useFairness();
  const { t } = useTranslation();
  const { retired, canCheck } = fairness;
  return (
    <section className={flex.column}>
      <h2 className={text.head}>{t('fairness.past')}</h2>
      <p className={text.sub}>{t('fairness.past_note')}</p>
      {!canCheck && (
        <Card className={styles.insecure}>
          <Icon name="warning" size={20} />
          <p>{t('fairness.insecure')}</p>
        </Card>
      )}
      <InfiniteList
        label={t('fairness.past')}
        className={styles.seeds}
        {...retired.shown}
        row={pastSeed}
        empty={<Empty art={chest} title={t('fairness.none')} text={t('fairness.none_note')} />}
      />
    </section>
  );
});

const pastSeed = (seed: RetiredSeed) => <PastSeed seed={seed} />;
