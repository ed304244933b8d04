import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import { IconButton } from '../../ui/IconButton';
import { ListRow } from '../../ui/List';
import text from '../../ui/text.module.css';
import styles from './Copied.module.css';

/** A hash is broken into lines between groups of this many digits. */
const digits = 8;

function groups(value: string): string[] {
  return value.match(new RegExp(`.{1,${digits}}`, 'g')) ?? [];
}

/** A line with a seed, a hash or a number, whole, to be read or copied. */
export function Copied({ label, value }: { label: string; value: string }) {
  const root = useRoot();
  const { t } = useTranslation();
  return (
    <ListRow
      className={styles.row}
      title={<span className={text.sub}>{label}</span>}
      end={
        <IconButton
          icon="copy"
          label={t('fairness.copy', { what: label })}
          onPress={() => void root.copy(value)}
        />
      }
    >
      <code className={styles.value}>
        {groups(value).map((group, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups keep their places
          <Fragment key={place}>
            {group}
            <wbr />
          </Fragment>
        ))}
      </code>
    </ListRow>
  );
}
