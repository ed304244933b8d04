import { useTranslation } from 'react-i18next';
import { AmountPiece, RewardList } from '../../ui/RewardList';

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
      <AmountPiece asset="coin" value={coins} signed={paid} name={labels?.coins ?? t('daily.coins')} />
      <AmountPiece asset="points" value={points} signed={paid} name={labels?.points ?? t('daily.points')} />
    </RewardList>
  );
}
