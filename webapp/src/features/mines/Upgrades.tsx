import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import type { MineLevel } from '../../api/types';
import { GameSheet } from '../../app/GameSheet';
import { useLanguage } from '../../app/RootContext';
import { formatInteger } from '../../format';
import { formatTrimmed } from '../../formatTrimmed';
import { errorKey } from '../../i18n/errors';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { Empty } from '../../ui/Empty';
import { Icon } from '../../ui/Icon';
import text from '../../ui/text.module.css';
import { Waiting } from '../../ui/Waiting';
import { useMinePrice } from './MinePrice';
import { useMines } from './Mines';
import { oreOf } from './ores';
import styles from './Upgrades.module.css';

/** Spec §2: ten mines, what each costs and brings, and the one that can be bought next. */
export const Upgrades = observer(function Upgrades() {
  const { status, top } = useMines().tournament;
  const { t } = useTranslation();
  return (
    <GameSheet
      name="mines"
      title={t('mines.upgrade')}
      end={
        status && (
          <Badge tone="gold">
            {t('mines.count', { open: top?.level ?? 0, all: status.available_levels.length })}
          </Badge>
        )
      }
    >
      <Cards />
    </GameSheet>
  );
});

const Cards = observer(function Cards() {
  const { tournament } = useMines();
  const { t } = useTranslation();
  const { state } = tournament.resource;
  if (state.is === 'failed')
    return (
      <Empty icon="offline" title={t(errorKey(state.error.code))} onRetry={() => void tournament.load()} />
    );
  if (state.is === 'loading') return <Waiting />;
  return (
    <ul role="list" className={styles.grid}>
      {state.value.available_levels.map((mine) => (
        <Card key={mine.level} mine={mine} />
      ))}
    </ul>
  );
});

const Card = observer(function Card({ mine }: { mine: MineLevel }) {
  const { tournament, purchase } = useMines();
  const { t } = useTranslation();
  const language = useLanguage();
  const { art, name } = oreOf(mine.level);
  const ore = t(name);
  const current = mine.level === tournament.top?.level;
  const next = mine.level === tournament.next?.level;
  const price = useMinePrice()(mine);
  return (
    <li
      className={cx(
        styles.mine,
        current && styles.current,
        next && styles.next,
        !mine.unlocked && !next && styles.locked,
      )}
    >
      <span className={styles.level}>{mine.level}</span>
      <img src={art} alt="" className={styles.art} />
      <b className={styles.name}>{ore}</b>
      <span className={cx(text.sub, styles.fact)}>
        {t('mines.per_tap', { value: formatTrimmed(mine.mcbk_per_tap, language) })}
      </span>
      <span className={cx(text.sub, styles.fact)}>
        <Icon name="bolt" size={13} className={styles.bolt} />
        {formatInteger(mine.energy, language)}
      </span>
      {current ? (
        <Badge tone="gold" className={styles.state}>
          {t('mines.digging')}
        </Badge>
      ) : mine.unlocked ? (
        <Badge tone="moss" icon="check" className={styles.state}>
          {t('mines.open')}
        </Badge>
      ) : next ? (
        <Button
          height={40}
          art={price.art}
          width="full"
          label={t('mines.buy_of', { ore, price: price.words })}
          disabled={!purchase.sold}
          onPress={() => purchase.offer()}
          className={styles.buy}
        >
          {price.short}
        </Button>
      ) : (
        <Badge icon="lock" className={styles.state}>
          {price.words}
        </Badge>
      )}
    </li>
  );
});
