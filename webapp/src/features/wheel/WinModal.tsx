import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import coin from '../../art/coin.svg';
import star from '../../art/points.svg';
import again from '../../art/spin.svg';
import { haptics } from '../../telegram';
import { Badge } from '../../ui/Badge';
import { Burst, BurstPieces } from '../../ui/Burst';
import { Button } from '../../ui/Button';
import { HeroAmount } from '../../ui/HeroAmount';
import { Modal } from '../../ui/Modal';
import { AmountPiece, Piece, RewardList } from '../../ui/RewardList';
import text from '../../ui/text.module.css';
import { celebrate, useCelebration } from '../../ui/useCelebration';
import { DoubleButton } from '../ads/DoubleButton';
import { ChestOpening } from './ChestOpening';
import { adMultiplier, canDouble, maxSpins, type Spin, type Sum, sumOf } from './prize';
import styles from './WinModal.module.css';
import { best, sizeOf } from './win';
import { prizeWords } from './words';

/** The delay of a chest's haptic, when its lid opens, milliseconds. */
const lidUp = 480;

const pictures = { coins: coin, points: star, spins: again } as const;

/** What the wheel has brought. Coins are paid already; the rest is by Claim, by an ad, or by closing it. */
export const WinModal = observer(function WinModal() {
  const { wheel, ads, modals } = useRoot();
  const { prize } = wheel;
  const { t } = useTranslation();
  const language = useLanguage();
  // A claimed prize is gone, but the modal shows it while it leaves.
  const [last, setLast] = useState<Spin | null>(prize.spin);
  if (prize.spin && prize.spin !== last) setLast(prize.spin);
  const open = modals.shown?.is === 'win';
  const celebrated = useCelebration(open && last ? last.spin_id : null, () => {
    if (last) celebrate(sizeOf(last.reward), picturesOf(last), last.reward.chest ? lidUp : 0);
  });
  if (!last) return null;

  const { reward } = last;
  const { chest, is_golden } = reward;
  const sum = sumOf(reward);
  const part = best(reward);
  const size = sizeOf(reward);
  const still = celebrated === last.spin_id;
  const countsUp = !still && size !== 'small';
  const badge = is_golden && (
    <Badge tone="gold" className={styles.badge}>
      {t('wheel.golden_badge', { times: reward.multiplier })}
    </Badge>
  );
  const appearance = chest
    ? {
        relic: <ChestOpening still={still} />,
        frame: styles.withChest,
        head: badge,
        title: t('wheel.chest'),
      }
    : {
        relic: <BurstPieces still={still} picture={pictures[part]} size={size} />,
        head: (
          <>
            <Burst
              tone={part === 'points' && !is_golden ? 'jade' : 'gold'}
              picture={pictures[part]}
              size={size}
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
              times={adMultiplier(reward)}
              onPress={async () => {
                if ((await prize.double()) === 'confirmed')
                  celebrate(is_golden ? 'huge' : 'big', picturesOf(last));
              }}
            />
          )}
        </>
      }
    >
      {(!chest || is_golden) && (
        <HeroAmount
          {...(part !== 'spins' && { asset: part === 'coins' ? 'coin' : 'points' })}
          value={sum[part]}
          decimals={Number.isInteger(sum[part]) ? 0 : 2}
          signed
          center
          {...(countsUp && { countUp: true, from: 0 })}
          className={chest && styles.late}
        />
      )}
      {chest ? (
        <>
          <ChestRewards {...sum} {...(is_golden && { [part]: 0 })} />
          {prize.exceedsSpinLimit && <p className={styles.words}>{t('wheel.beyond', { most: maxSpins })}</p>}
        </>
      ) : (
        <p className={styles.words}>{prizeWords(reward, t, language)}</p>
      )}
    </Modal>
  );
});

/** What rains of a huge win. */
function picturesOf({ reward }: Spin): string[] {
  const { coins, points } = sumOf(reward);
  return [...(coins > 0 || points === 0 ? [coin] : []), ...(points > 0 ? [star] : [])];
}

function ChestRewards({ coins, points, spins }: Sum) {
  const { t } = useTranslation();
  if (coins + points + spins === 0) return null;
  return (
    <RewardList className={styles.loot}>
      {coins > 0 && <AmountPiece asset="coin" value={coins} name={t('wheel.coins')} />}
      {points > 0 && <AmountPiece asset="points" value={points} name={t('common.points')} />}
      {spins > 0 && (
        <Piece art={again} name={t('wheel.spins')}>
          <span className={text.numM}>+{spins}</span>
        </Piece>
      )}
    </RewardList>
  );
}
