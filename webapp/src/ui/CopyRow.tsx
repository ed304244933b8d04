import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../app/RootContext';
import styles from './CopyRow.module.css';
import { IconButton } from './IconButton';
import { ListRow } from './List';
import text from './text.module.css';

type Props = {
  label: string;
  value: string;
  /** How the value is written, if not as it is copied. */
  children?: ReactNode;
};

/** A value in a list, whole, to be read or copied. */
export function CopyRow({ label, value, children = value }: Props) {
  const root = useRoot();
  const { t } = useTranslation();
  return (
    <ListRow
      className={styles.row}
      title={<span className={text.sub}>{label}</span>}
      end={
        <IconButton
          icon="copy"
          label={t('common.copy', { what: label })}
          onPress={() => void root.copy(value)}
        />
      }
    >
      <code className={styles.value}>{children}</code>
    </ListRow>
  );
}
