import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MineLevel } from '../../api/types';
import { useLanguage, useRoot } from '../../app/RootContext';
import trophy from '../../art/trophy.svg';
import { formatInteger } from '../../format';
import { decimalsOf, formatTrimmed } from '../../formatTrimmed';
import { Amount } from '../../ui/Amount';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Modal } from '../../ui/Modal';
import text from '../../ui/text.module.css';
import { HeldNote } from '../market/HeldNote';
import { PayWith } from '../market/PayWith';
import styles from './MineOffer.module.css';
import { useMinePrice } from './MinePrice';
import { useMines } from './Mines';
import { oreOf } from './ores';

/** Spec §2: the Gold Rush for a player without a mine; later the question before each further mine. */
export const MineOffer = observer(function MineOffer() {
  const { modals } = useRoot();
  const { tournament, digging, purchase } = useMines();
  const { t } = useTranslation();
  const language = useLanguage();
  const offered = modals.shown?.is === 'mine' ? modals.shown.level : null;
  const mine = tournament.status?.available_levels.find(({ level }) => level === offered) ?? null;
  // The modal keeps its content while it closes.
  const [last, setLast] = useState(mine);
  if (mine && mine !== last) setLast(mine);
  const price = useMinePrice();
  const { rules } = tournament.status ?? {};
  if (!last || !rules) return null;
  const { art, name } = oreOf(last.level);
  const first = last.level === 1;
  const [best] = rules.prizes;
  const { buying, needsWallet, inStars, sold } = purchase;
  return (
    <Modal
      open={offered !== null}
      onClose={() => purchase.closeOffer()}
      art={art}
      head={
        <Badge tone="gold" className={styles.name}>
          {t('mines.mine', { ore: t(name) })}
        </Badge>
      }
      title={first ? t('mines.rush', { days: rules.tournament_days }) : t('mines.deeper')}
      text={
        !sold
          ? t(digging.closedMessage ?? 'mines.upgrade_closed')
          : first
            ? t(tournament.tooLateForDaily ? 'mines.rush_late' : 'mines.rush_text', {
                times: rules.daily_factor,
                days: rules.daily_days,
              })
            : t('mines.deeper_text')
      }
      actions={
        <>
          <Button
            height={56}
            {...(needsWallet ? { icon: 'wallet' } : { art: price(last).art })}
            loading={!needsWallet && buying}
            disabled={!sold && !buying}
            onPress={() => void purchase.buy(last.level)}
          >
            {t(needsWallet ? 'mines.connect' : first ? 'mines.start' : 'mines.buy')}
          </Button>
          <Button variant="quaternary" width="full" onPress={() => purchase.closeOffer()}>
            {t('mines.skip')}
          </Button>
        </>
      }
    >
      <PayWith market={purchase.trade?.market ?? null}>
        <Facts mine={last} entry={first} />
      </PayWith>
      <p className={text.sub}>
        {t('mines.full_mine', {
          ore: formatTrimmed((last.energy / rules.energy_per_tap) * last.mcbk_per_tap, language),
          hours: rules.window_hours,
        })}
      </p>
      {first && best !== undefined && best.ton > 0 && (
        <p className={cx(flex.line, styles.prize)}>
          <img src={trophy} alt="" width={32} height={32} />
          <span>{t('mines.first_prize')}</span>
          <Amount asset="ton" value={best.ton} />
        </p>
      )}
      {purchase.trade && !inStars && <HeldNote wallet={purchase.trade.wallet} ton={last.cost} />}
    </Modal>
  );
});

const Facts = observer(function Facts({ mine, entry }: { mine: MineLevel; entry: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { purchase } = useMines();
  const { cost, energy, mcbk_per_tap } = mine;
  const stars = purchase.starsFor(mine);
  return (
    <div className={styles.facts}>
      <div>
        <span className={text.sub}>{t(entry ? 'mines.entry' : 'mines.price')}</span>
        {purchase.inStars ? (
          <span className={cx(text.numM, styles.figure, styles.stars)}>
            {stars === null ? '…' : '≈'}
            {stars !== null && <Amount asset="star" value={stars} size="m" className={styles.figure} />}
          </span>
        ) : (
          <Amount asset="ton" value={cost} decimals={decimalsOf(cost)} size="m" className={styles.figure} />
        )}
      </div>
      <div>
        <span className={text.sub}>{t('mines.energy')}</span>
        <span className={cx(text.numM, styles.figure)}>{formatInteger(energy, language)}</span>
      </div>
      <div>
        <span className={text.sub}>{t('mines.tap')}</span>
        <span className={cx(text.numM, styles.figure)}>{formatTrimmed(mcbk_per_tap, language)}</span>
      </div>
    </div>
  );
});
