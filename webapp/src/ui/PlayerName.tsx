import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from './Badge';
import { cx } from './cx';
import flex from './flex.module.css';
import styles from './PlayerName.module.css';
import text from './text.module.css';
import { useVisibleName } from './useVisibleName';

type Props = {
  name: string;
  premium: boolean;
  /** It shares its line: on a narrow screen the badge is only its star. */
  crowded?: boolean;
  /** What is said of the player below the name. */
  children: ReactNode;
};

/** The words beside a face. A name longer than its room ends in an ellipsis; the badge stays. */
export function PlayerName({ name, premium, crowded = false, children }: Props) {
  const { t } = useTranslation();
  return (
    <div className={cx(styles.words, crowded && styles.crowded)}>
      <div className={cx(flex.line, styles.name)}>
        <b className={text.ellipsis} dir="auto" translate="no">
          {useVisibleName(name)}
        </b>
        {premium && (
          <Badge tone="gold" icon="star" className={styles.premium}>
            <span>{t('home.premium')}</span>
          </Badge>
        )}
      </div>
      {children}
    </div>
  );
}
