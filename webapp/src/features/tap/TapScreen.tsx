import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import bolt from '../../art/high-voltage.svg';
import { formatAmount, formatInteger, fromMicro, toMicro } from '../../format';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { HeroAmount } from '../../ui/HeroAmount';
import { Screen } from '../../ui/Screen';
import { SheetHandle } from '../../ui/SheetHandle';
import text from '../../ui/text.module.css';
import layout from '../digging/digging.module.css';
import { EnergyCard } from '../digging/EnergyCard';
import { Bag } from './Bag';
import styles from './TapScreen.module.css';

/** From a million coins the balance is written smaller. */
const long = toMicro(1_000_000);

export function TapScreen() {
  return (
    <Screen ground="vault" className={layout.screen} handle={<LevelHandle />}>
      <Balance />
      <Bag />
      <BagEnergy />
    </Screen>
  );
}

function Balance() {
  const { t } = useTranslation();
  return (
    <section className={layout.balance}>
      <h1 className={text.over}>{t('tap.total')}</h1>
      <Total />
      <Facts />
    </section>
  );
}

/** The one part of it that each tap renders. */
const Total = observer(function Total() {
  const { tap } = useRoot();
  return (
    <HeroAmount
      asset="coin"
      value={fromMicro(tap.total)}
      spoken={fromMicro(tap.confirmedTotal)}
      decimals={3}
      lively
      center
      className={cx(styles.total, tap.total >= long && styles.long)}
    />
  );
});

const Facts = observer(function Facts() {
  const { tap, energy } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const info = energy.value;
  return (
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
  );
});

const BagEnergy = observer(function BagEnergy() {
  const { tap, energy, user } = useRoot();
  const { t } = useTranslation();
  const { value: info } = energy;
  const depleted = info !== null && tap.running && !tap.counter.hasEnergy;
  return (
    <EnergyCard
      art={bolt}
      words={{ title: 'tap.energy', max: 'tap.of', progress: 'tap.energy_of' }}
      left={info && tap.counter.energyLeft}
      max={info?.max_energy ?? null}
      error={energy.state.is === 'failed' ? 'errors.energy' : null}
      onRetry={() => energy.load()}
    >
      {depleted && (
        <Button
          variant={user.user?.balance.daily_spins ? 'primary' : 'secondary'}
          width="full"
          icon="wheel"
          to="/roulette"
        >
          {t('tap.wheel')}
        </Button>
      )}
    </EnergyCard>
  );
});

const LevelHandle = observer(function LevelHandle() {
  const { energy, modals } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const level = energy.value?.level_info;
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
