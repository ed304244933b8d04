import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { formatInteger } from '../../format';
import { haptics } from '../../telegram';
import { Amount } from '../../ui/Amount';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import text from '../../ui/text.module.css';
import styles from './AmountField.module.css';
import { useTrade } from './Trade';

/** How many Stars the player pays: one of a few amounts. */
export const StarChips = observer(function StarChips() {
  const { market } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <fieldset className={styles.choice}>
      <legend className={cx(text.over, styles.label, styles.legend)}>{t('market.pay_stars')}</legend>
      <div className={cx(styles.presets, styles.wide)}>
        {market.starPresets.map((stars) => (
          <Button
            key={stars}
            variant="tertiary"
            height={40}
            className={stars === market.stars ? styles.chosen : undefined}
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
