import { useTranslation } from 'react-i18next';
import coin from '../../art/coin.svg';
import star from '../../art/points.svg';
import { Amount } from '../../ui/Amount';
import { Piece, RewardList } from '../../ui/RewardList';

type Props = {
  coins: number;
  points: number;
  /** The labels below the figures; by default of a reward that was paid already. */
  labels?: { coins: string; points: string };
};

/** What a day has paid, or offers, side by side. */
export function DayReward({ coins, points, labels }: Props) {
  const { t } = useTranslation();
  const paid = labels === undefined;
  return (
    <RewardList>
      <Piece art={coin} name={labels?.coins ?? t('daily.coins')}>
        <Amount asset="coin" value={coins} size="m" signed={paid} bare trim />
      </Piece>
      <Piece art={star} name={labels?.points ?? t('daily.points')}>
        <Amount asset="points" value={points} size="m" signed={paid} bare />
      </Piece>
    </RewardList>
  );
}
