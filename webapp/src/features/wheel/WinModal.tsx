import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import coin from '../../art/coin.svg';
import star from '../../art/points.svg';
import again from '../../art/spin.svg';
import { haptics } from '../../telegram';
import { Amount } from '../../ui/Amount';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { HeroAmount } from '../../ui/HeroAmount';
import { Modal } from '../../ui/Modal';
import { Piece, RewardList } from '../../ui/RewardList';
import text from '../../ui/text.module.css';
import { DoubleButton } from '../ads/DoubleButton';
import { Burst, BurstPieces } from './Burst';
import { ChestOpening } from './ChestOpening';
import { canDouble, mostSpins, type Spin, sumOf, timesWithAd } from './prize';
import styles from './WinModal.module.css';
import { prizeWords } from './words';

/** The look: a chest is felt as its lid comes up, milliseconds; and a heavy blow before the success. */
const lidUp = 480;
const afterBlow = 400;

/** What the wheel has brought. Coins are paid already; the rest is by Claim, by an ad, or by closing it. */
export const WinModal = observer(function WinModal() {
  const { wheel, ads, modals } = useRoot();
  const { prize } = wheel;
  const { t } = useTranslation();
  const language = useLanguage();
  // Claimed it is gone, and while the modal leaves it still says what it was.
  const [last, setLast] = useState<Spin | null>(prize.spin);
  if (prize.spin && prize.spin !== last) setLast(prize.spin);
  const open = modals.shown?.is === 'win';
  const celebrated = useCelebration(open ? last : null);
  if (!last) return null;

  const { reward } = last;
  const { chest, bonus_spin: bonus } = reward;
  const { coins, points } = sumOf(reward);
  const badge = reward.is_golden && (
    <Badge tone="gold" className={styles.badge}>
      {t('wheel.golden_badge', { times: reward.multiplier })}
    </Badge>
  );
  const appearance = chest
    ? {
        relic: <ChestOpening still={celebrated === last.spin_id} />,
        frame: styles.withChest,
        head: badge,
        title: t('wheel.chest'),
      }
    : {
        relic: (
          <BurstPieces
            still={celebrated === last.spin_id}
            picture={bonus ? again : coins > 0 ? coin : star}
          />
        ),
        head: (
          <>
            <Burst
              tone={coins > 0 || bonus ? 'gold' : 'jade'}
              picture={bonus ? again : coins > 0 ? coin : star}
            />
            {badge}
          </>
        ),
        title: t('wheel.you_won'),
        quiet: true,
      };
  return (
    <Modal
      {...appearance}
      open={open}
      onClose={() => modals.close('win')}
      className={chest ? undefined : styles.win}
      actions={
        <>
          <Button
            height={56}
            width="full"
            loading={prize.claiming}
            onPress={async () => {
              if (await prize.claim()) haptics.notify('success');
            }}
          >
            {t('wheel.claim')}
          </Button>
          {canDouble(reward) && (
            <DoubleButton
              awaited={prize.awaited}
              disabled={ads.busy || prize.claiming}
              times={timesWithAd(reward)}
              onPress={async () => {
                if ((await prize.double()) === 'confirmed') haptics.notify('success');
              }}
            />
          )}
        </>
      }
    >
      {chest ? (
        <>
          <ChestRewards {...sumOf(reward)} />
          {prize.beyond && <p className={styles.words}>{t('wheel.beyond', { most: mostSpins })}</p>}
        </>
      ) : (
        <>
          <HeroAmount
            {...(coins > 0 || bonus ? {} : { asset: 'points' as const })}
            value={bonus ? 1 : coins > 0 ? coins : points}
            decimals={Number.isInteger(coins) ? 0 : 2}
            signed
            center
          />
          <p className={styles.words}>{prizeWords(reward, t, language)}</p>
        </>
      )}
    </Modal>
  );
});

function ChestRewards({ coins, points, spins }: { coins: number; points: number; spins: number }) {
  const { t } = useTranslation();
  return (
    <RewardList className={styles.loot}>
      {coins > 0 && (
        <Piece art={coin} name={t('wheel.coins')}>
          <Amount asset="coin" value={coins} size="m" signed bare trim />
        </Piece>
      )}
      {points > 0 && (
        <Piece art={star} name={t('common.points')}>
          <Amount asset="points" value={points} size="m" signed bare />
        </Piece>
      )}
      {spins > 0 && (
        <Piece art={again} name={t('wheel.spins')}>
          <span className={text.numM}>+{spins}</span>
        </Piece>
      )}
    </RewardList>
  );
}

/** A win is felt once, however often its modal gives way to an ad. The answer is the spin that was, the last time it was shown. */
function useCelebration(spin: Spin | null): number | null {
  const [celebrated, setCelebrated] = useState<number | null>(null);
  const felt = useRef<number | null>(null);
  useEffect(() => {
    if (!spin) return setCelebrated(felt.current);
    if (felt.current === spin.spin_id) return;
    felt.current = spin.spin_id;
    const { is_golden, chest } = spin.reward;
    if (!is_golden && !chest) return haptics.notify('success');
    const delay = chest ? lidUp : 0;
    setTimeout(() => haptics.impact('heavy'), delay);
    setTimeout(() => haptics.notify('success'), delay + afterBlow);
  }, [spin]);
  return celebrated;
}
