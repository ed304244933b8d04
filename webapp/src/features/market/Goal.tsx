import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { formatInteger } from '../../format';
import { Card } from '../../ui/Card';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Progress } from '../../ui/Progress';
import { Skeleton } from '../../ui/Skeleton';
import text from '../../ui/text.module.css';
import { percentSold } from './coins';
import styles from './Goal.module.css';
import { useTrade } from './Trade';

/** How many coins all players have bought, on the way to what is meant to be sold. */
export const Goal = observer(function Goal() {
  const { prices } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  // Of this nothing is known by heart.
  if (prices.info.is === 'failed') return null;
  const info = prices.info.is === 'known' ? prices.info.info : null;
  const sold = info?.purchased_total ?? 0;
  const goal = info?.purchased_goal ?? 0;
  return (
    <Card className={cx(flex.column, styles.goal)}>
      <div className={cx(flex.between, styles.line)}>
        <h2 className={text.over}>{t('market.purchased')}</h2>
        {info && <span className={text.over}>{t('market.percent', { value: percentSold(sold, goal) })}</span>}
      </div>
      <Progress value={sold} max={goal} label={t('market.purchased')} />
      <div className={cx(flex.between, styles.line)}>
        {info ? (
          <span className={text.numS}>{formatInteger(sold, language)}</span>
        ) : (
          <Skeleton width={110} height={20} />
        )}
        {info && <span className={text.over}>{t('market.of', { goal: formatInteger(goal, language) })}</span>}
      </div>
    </Card>
  );
});
