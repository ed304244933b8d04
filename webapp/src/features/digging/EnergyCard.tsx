import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import { formatInteger } from '../../format';
import type { ErrorKey } from '../../i18n/errors';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Progress } from '../../ui/Progress';
import { RetryButton } from '../../ui/RetryButton';
import text from '../../ui/text.module.css';
import styles from './digging.module.css';

type Props = {
  art: string;
  words: {
    title: 'tap.energy' | 'mines.ores';
    max: 'tap.of' | 'mines.of';
    progress: 'tap.energy_of' | 'mines.ores_of';
  };
  /** Null while unknown. */
  left: number | null;
  max: number | null;
  /** Why it could not be loaded. */
  error: ErrorKey | null;
  onRetry: () => void;
  className?: string | undefined;
  children?: ReactNode;
};

/** How much energy is left, of how much; or the way to load it again. */
export function EnergyCard({ art, words, left, max, error, onRetry, className, children }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (error !== null)
    return (
      <section className={cx(flex.column, styles.card, styles.failed, className)}>
        <span className={text.over}>{t(error)}</span>
        <RetryButton onPress={onRetry} />
      </section>
    );
  const format = (value: number | null) => (value === null ? '…' : formatInteger(value, language));
  return (
    <section className={cx(flex.column, styles.card, className)}>
      <div className={cx(flex.between, flex.roomy)}>
        <span className={cx(flex.line, styles.label)}>
          <img src={art} alt="" width={22} height={22} />
          {t(words.title)}
        </span>
        <span className={text.numS}>
          {format(left)} <span className={styles.of}>{t(words.max, { max: format(max) })}</span>
        </span>
      </div>
      <Progress
        tone="ember"
        size="l"
        value={left ?? 0}
        max={max ?? 1}
        label={t(words.progress, { energy: format(left), max: format(max) })}
      />
      {children}
    </section>
  );
}
