import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { haptics } from '../telegram';
import { cx } from './cx';
import flex from './flex.module.css';
import styles from './Tabs.module.css';

type Props<Id extends string> = {
  label: string;
  tabs: readonly { id: Id; text: string; art?: string }[];
  value: Id;
  onChange: (id: Id) => void;
  className?: string | undefined;
  /** What the chosen tab shows. */
  children?: ReactNode;
};

export function Tabs<Id extends string>({ label, tabs, value, onChange, className, children }: Props<Id>) {
  const choose = (id: Id) => {
    haptics.select();
    onChange(id);
  };
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={choose}
      className={cx(flex.column, flex.roomy, styles.root, className)}
    >
      {/* A press chooses, focus does not: a finger brings both, and a choice the server must make would be made twice. */}
      <BaseTabs.List className={styles.list} aria-label={label}>
        {tabs.map(({ id, text, art }) => (
          <BaseTabs.Tab key={id} value={id} className={cx(styles.tab, id === value && styles.chosen)}>
            {art && <img src={art} alt="" className={styles.art} />}
            {text}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {/* One panel follows the choice, so that a list keeps its place in the page. */}
      <BaseTabs.Panel value={value} className={cx(flex.column, flex.roomy, styles.panel)} tabIndex={-1}>
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
