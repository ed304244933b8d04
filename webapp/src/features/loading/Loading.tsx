import { useTranslation } from 'react-i18next';
import coin from '../../art/coin.svg';
import wordmark from '../../art/wordmark.svg';
import { cx } from '../../ui/cx';
import { Screen } from '../../ui/Screen';
import text from '../../ui/text.module.css';
import styles from './Loading.module.css';

// The trail across a 300 x 60 map, to the X at its end.
const trail = 'M6 46C50 10 80 56 130 36S210 8 286 22';

type Props = {
  /** The player's language is known: until then nothing is said. */
  speaks: boolean;
  /** The player and the settings are here: from now the trail walks the rest of the way, in 2.5 s. */
  ready: boolean;
};

/** The greeting while the game loads. Spec §2: it stays at least about 2.5 s after player and settings are here. */
export function Loading({ speaks, ready }: Props) {
  const { t } = useTranslation();
  return (
    <div className={styles.cover} role="status">
      <Screen noTabBar passing className={cx(styles.loading, !speaks && styles.silent)}>
        <div className={styles.logo}>
          <img src={coin} alt="" width={132} height={132} />
          <img src={wordmark} alt={t('common.mcbk')} width={220} height={56} />
          <p className={styles.welcome}>{t('loading.welcome')}</p>
        </div>
        <div className={styles.way}>
          <svg viewBox="0 0 300 60" aria-hidden="true" className={styles.trail}>
            <path d={trail} pathLength="100" className={styles.ahead} />
          </svg>
          {/* Two frames moving against each other uncover the gold without touching the layout. */}
          <div className={cx(styles.frame, ready && styles.ready)}>
            <svg viewBox="0 0 300 60" aria-hidden="true" className={styles.trail}>
              <path d={trail} pathLength="100" className={styles.walked} />
            </svg>
          </div>
          <svg viewBox="0 0 300 60" aria-hidden="true" className={styles.trail}>
            <path d="M278 15 293 30M293 15 278 30" className={styles.x} />
          </svg>
        </div>
        <p className={text.sub}>{t('loading.opening')}</p>
      </Screen>
    </div>
  );
}
