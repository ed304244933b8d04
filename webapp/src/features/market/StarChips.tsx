import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { formatInteger } from '../../format';
import { haptics } from '../../telegram';
import { Amount } from '../../ui/Amount';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import text from '../../ui/text.module.css';
import styles from './StarChips.module.css';
import { useTrade } from './Trade';

/** How many Stars the player pays: one of a few amounts. */
export const StarChips = observer(function StarChips() {
  const { market } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <fieldset className={styles.pay}>
      <legend className={cx(text.over, styles.legend)}>{t('market.pay_stars')}</legend>
      <div className={styles.chips}>
        {market.starPresets.map((stars) => (
          <Button
            key={stars}
            variant="tertiary"
            height={40}
            radius={12}
            className={cx(styles.chip, stars === market.stars && styles.chosen)}
            pressed={stars === market.stars}
            label={t('market.stars', { stars: formatInteger(stars, language) })}
            onPress={() => {
              haptics.select();
              market.chooseStars(stars);
            }}
          >
            <Amount asset="star" value={stars} />
          </Button>
        ))}
      </div>
    </fieldset>
  );
});
