import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import bolt from '../../art/high-voltage.svg';
import { formatAmount, formatInteger, fromMicro, toMicro } from '../../format';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { HeroAmount } from '../../ui/HeroAmount';
import { Progress } from '../../ui/Progress';
import { Screen } from '../../ui/Screen';
import { SheetHandle } from '../../ui/SheetHandle';
import text from '../../ui/text.module.css';
import { Bag } from './Bag';
import styles from './TapScreen.module.css';

/** From a million coins on the balance is written smaller. */
const long = toMicro(1_000_000);

export function TapScreen() {
  return (
    <Screen ground="vault" className={styles.screen} handle={<LevelHandle />}>
      <Balance />
      <Bag />
      <EnergyCard />
    </Screen>
  );
}

const Balance = observer(function Balance() {
  const { tap, energy } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const info = energy.info;
  return (
    <section className={styles.purse}>
      <h1 className={text.over}>{t('tap.total')}</h1>
      <HeroAmount
        asset="coin"
        value={fromMicro(tap.total)}
        spoken={fromMicro(tap.confirmedTotal)}
        decimals={3}
        center
        className={cx(styles.total, tap.total >= long && styles.long)}
      />
      <div className={styles.pair}>
        {info && (
          <>
            <Badge tone="gold">
              {t('tap.per_tap', { value: formatAmount(toMicro(info.mcbk_per_tap), 3, language) })}
            </Badge>
            {tap.batches.unsaved ? (
              <Badge icon="offline">{t('tap.kept')}</Badge>
            ) : (
              <Badge>{t('tap.level', { level: info.level_info.current_level })}</Badge>
            )}
          </>
        )}
      </div>
    </section>
  );
});

const EnergyCard = observer(function EnergyCard() {
  const { tap, energy } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const info = energy.info;
  if (energy.energy.is === 'failed') {
    return (
      <section className={cx(styles.energy, styles.failed)}>
        <span className={text.over}>{t('errors.energy')}</span>
        <Button variant="secondary" height={40} icon="retry" onPress={() => energy.load()}>
          {t('common.retry')}
        </Button>
      </section>
    );
  }
  const left = info ? formatInteger(tap.energyLeft, language) : '…';
  const max = info ? formatInteger(info.max_energy, language) : '…';
  return (
    <section className={styles.energy}>
      <div className={styles.line}>
        <span className={styles.label}>
          <img src={bolt} alt="" width={22} height={22} />
          {t('tap.energy')}
        </span>
        <span className={text.numS}>
          {left} <span className={styles.of}>{t('tap.of', { max })}</span>
        </span>
      </div>
      <Progress
        tone="ember"
        size="l"
        value={tap.energyLeft}
        max={info?.max_energy ?? 1}
        label={t('tap.energy_of', { energy: left, max })}
      />
    </section>
  );
});

const LevelHandle = observer(function LevelPeek() {
  const { energy, modals } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const level = energy.info?.level_info;
  const note = !level
    ? '…'
    : level.is_max_level
      ? t('tap.max', { level: level.current_level })
      : t('tap.progress_note', {
          level: level.current_level,
          next: level.current_level + 1,
          count: level.spins_to_next_level,
          spins: formatInteger(level.spins_to_next_level, language),
        });
  return (
    <SheetHandle
      icon="levels"
      title={t('tap.progress')}
      note={note}
      onOpen={() => modals.openSheet('levels')}
    />
  );
});
