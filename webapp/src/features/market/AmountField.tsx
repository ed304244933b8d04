import { observer } from 'mobx-react-lite';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../app/RootContext';
import ton from '../../art/ton.svg';
import { haptics } from '../../telegram';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Icon } from '../../ui/Icon';
import text from '../../ui/text.module.css';
import styles from './AmountField.module.css';
import { inTon, presets } from './amount';
import { HeldNote } from './HeldNote';
import { useTrade } from './Trade';

/** "1000.0" */
const longest = 6;

/** How much TON the player pays: written, stepped, one of a few, or all of it. */
export const AmountField = observer(function AmountField() {
  const { market, wallet } = useTrade();
  const { t } = useTranslation();
  const language = useLanguage();
  const field = useId();
  const note = useId();
  const { chosen, validationError: fault } = market;
  const press = (change: () => void) => () => {
    haptics.select();
    change();
  };
  const step = (up: boolean) => (
    <button
      type="button"
      className={styles.step}
      aria-label={t(up ? 'market.more' : 'market.less')}
      onClick={press(() => market.step(up))}
    >
      <Icon name={up ? 'plus' : 'minus'} size={20} />
    </button>
  );
  return (
    <div className={cx(flex.column, styles.pay)}>
      <label htmlFor={field} className={cx(text.over, styles.label)}>
        {t('market.pay')}
      </label>
      <div className={cx(flex.line, styles.field, fault !== null && styles.wrong)}>
        {step(false)}
        <input
          id={field}
          className={styles.input}
          value={market.text(language)}
          onChange={({ target }) => market.write(target.value)}
          onBlur={() => market.commitDraft()}
          // Done only ends the writing: what was clamped is seen before it is bought.
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && currentTarget.blur()}
          inputMode="decimal"
          enterKeyHint="done"
          autoComplete="off"
          maxLength={longest}
          aria-invalid={fault !== null}
          aria-describedby={fault === null ? undefined : note}
        />
        <img src={ton} alt="" width={28} height={28} />
        {step(true)}
      </div>
      <div className={styles.presets}>
        {presets.map((preset) => (
          <Button
            key={String(preset)}
            variant="tertiary"
            className={preset === chosen ? styles.chosen : undefined}
            pressed={preset === chosen}
            height={40}
            radius={100}
            width="grow"
            label={t('market.ton', { ton: inTon(preset) })}
            onPress={press(() => market.choose(preset))}
          >
            {inTon(preset)}
          </Button>
        ))}
        <Button variant="tertiary" height={40} radius={100} width="grow" onPress={press(() => market.max())}>
          {t('market.max')}
        </Button>
      </div>
      {fault === null && <HeldNote wallet={wallet} ton={chosen === null ? null : inTon(chosen)} />}
      {fault !== null && (
        <p id={note} role="alert" className={cx(flex.line, styles.fault)}>
          <Icon name="warning" size={18} />
          {t(fault)}
        </p>
      )}
    </div>
  );
});
