import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { cx } from './cx';
import styles from './Tabs.module.css';

type Props<Id extends string> = {
  label: string;
  tabs: readonly { id: Id; text: string }[];
  value: Id;
  onChange: (id: Id) => void;
  className?: string | undefined;
  /** What the chosen tab shows. */
  children?: ReactNode;
};

export function Tabs<Id extends string>({ label, tabs, value, onChange, className, children }: Props<Id>) {
  return (
    <BaseTabs.Root value={value} onValueChange={onChange} className={cx(styles.root, className)}>
      <BaseTabs.List className={styles.list} aria-label={label} activateOnFocus>
        {tabs.map(({ id, text }) => (
          <BaseTabs.Tab key={id} value={id} className={cx(styles.tab, id === value && styles.chosen)}>
            {text}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      {/* One panel follows the choice, so that a list keeps its place in the page. */}
      <BaseTabs.Panel value={value} className={styles.panel} tabIndex={-1}>
        {children}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
