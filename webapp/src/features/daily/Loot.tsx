import { useTranslation } from 'react-i18next';
import coin from '../../art/coin.svg';
import star from '../../art/points.svg';
import { Amount } from '../../ui/Amount';
import text from '../../ui/text.module.css';
import styles from './Loot.module.css';

/** What a day has paid, side by side. */
export function Loot({ coins, points }: { coins: number; points: number }) {
  const { t } = useTranslation();
  return (
    <div className={styles.loot}>
      <div>
        <img src={coin} alt="" />
        <Amount asset="coin" value={coins} size="m" signed bare trim />
        <span className={text.sub}>{t('daily.coins')}</span>
      </div>
      <div>
        <img src={star} alt="" />
        <Amount asset="points" value={points} size="m" signed bare />
        <span className={text.sub}>{t('daily.points')}</span>
      </div>
    </div>
  );
}
