import type { ReactNode } from 'react';
import { haptics } from '../telegram';
import styles from './Checkbox.module.css';
import { cx } from './cx';
import flex from './flex.module.css';
import { Icon } from './Icon';

type Props = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** In a recessed box, as in the age gate. */
  boxed?: boolean;
  children: ReactNode;
};

export function Checkbox({ checked, onChange, boxed = false, children }: Props) {
  return (
    <label className={cx(flex.line, flex.roomy, styles.line, boxed && styles.boxed)}>
      <input
        type="checkbox"
        className={styles.input}
        checked={checked}
        onChange={(e) => {
          haptics.select();
          onChange(e.target.checked);
        }}
      />
      <span className={styles.box}>
        <Icon name="check" size={15} />
      </span>
      <span>{children}</span>
    </label>
  );
}
