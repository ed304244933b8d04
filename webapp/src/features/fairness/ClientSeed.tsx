import { observer } from 'mobx-react-lite';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { haptics } from '../../telegram';
import { Button } from '../../ui/Button';
import card from '../../ui/Card.module.css';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Icon } from '../../ui/Icon';
import text from '../../ui/text.module.css';
import styles from './ClientSeed.module.css';
import { useFairness } from './useFairness';

const faults = {
  short: 'fairness.short',
  long: 'fairness.long',
  letters: 'fairness.letters',
} as const;

/** Where the player chooses the client seed, and so retires the server's. */
export const ClientSeed = observer(function ClientSeed() {
  const fairness = useFairness();
  const { t } = useTranslation();
  const field = useId();
  const note = useId();
  const { draft, fault, saving } = fairness;
  // An empty field is no error.
  const wrong = draft !== '' && fault !== 'none';
  return (
    <form
      className={cx(card.card, flex.column)}
      onSubmit={async (event) => {
        event.preventDefault();
        if (await fairness.change()) haptics.select();
      }}
    >
      <label htmlFor={field} className={text.over}>
        {t('fairness.change_field')}
      </label>
      <input
        id={field}
        className={cx(styles.field, wrong && styles.wrong)}
        value={draft}
        onChange={({ target }) => fairness.write(target.value)}
        disabled={saving}
        aria-invalid={wrong}
        aria-describedby={note}
        autoComplete="off"
        autoCapitalize="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="done"
      />
      <p
        id={note}
        role={wrong ? 'alert' : undefined}
        className={wrong ? cx(flex.line, styles.fault) : text.sub}
      >
        {wrong && <Icon name="warning" size={18} />}
        {wrong ? t(faults[fault]) : t('fairness.rules')}
      </p>
      <div className={styles.actions}>
        <Button
          variant="secondary"
          width="grow"
          disabled={saving}
          onPress={() => {
            haptics.select();
            fairness.roll();
          }}
        >
          {t('fairness.random')}
        </Button>
        <Button submit width="grow" loading={saving} disabled={fault !== 'none'} onPress={() => undefined}>
          {t('fairness.save')}
        </Button>
      </div>
    </form>
  );
});
