import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { errorKey } from '../i18n/errors';
import type { Paged } from '../stores/Pages';
import { cx } from './cx';
import { Empty } from './Empty';
import styles from './InfiniteList.module.css';
import { Row } from './List';
import look from './List.module.css';
import { RetryButton } from './RetryButton';
import { Skeleton } from './Skeleton';
import text from './text.module.css';
import { VirtualRows } from './VirtualRows';

type Props<Item> = {
  label: string;
  list: Paged<Item>;
  keyOf: (item: Item) => string | number;
  /** Draws an item as a `<Row>`. */
  row: (item: Item) => ReactNode;
  onMore: () => void;
  onRetry: () => void;
  /** An `<Empty>` for a list without rows. */
  empty: ReactNode;
  /** A `<Row>` that stays on top while the others scroll: the player's own. */
  pinned?: ReactNode;
  /** The skeleton of a row, if rows are not an avatar and two lines. */
  skeleton?: ReactNode;
  raised?: boolean;
  className?: string | undefined;
};

/**
 * A list of any length, in the part of a `<Screen>` or `<Sheet>` that scrolls; of its rows only those in sight are in
 * the page. It brings a library along, so only lazily loaded parts of the app may use it.
 */
export function InfiniteList<Item>({
  label,
  list,
  keyOf,
  row,
  onMore,
  onRetry,
  empty,
  pinned,
  skeleton = <SkeletonRows />,
  raised = false,
  className,
}: Props<Item>) {
  const { t } = useTranslation();
  const card = useRef<HTMLDivElement>(null);
  const hasRows = list.is === 'rows' && list.rows.length > 0;
  const next = list.is === 'rows' ? list.next : list;
  const retry = () => {
    card.current?.focus({ preventScroll: true }); // the button is about to vanish
    onRetry();
  };
  return (
    <>
      {pinned !== undefined && (
        <div className={cx(styles.pinned, raised && styles.onSheet)}>
          <div className={styles.own}>{pinned}</div>
        </div>
      )}
      <div ref={card} tabIndex={-1} className={cx(look.list, raised && look.raised, styles.card, className)}>
        {hasRows && (
          <VirtualRows
            label={label}
            rows={list.rows}
            next={list.next.is}
            keyOf={keyOf}
            row={row}
            onMore={onMore}
          />
        )}
        {list.is === 'rows' && !hasRows && empty}
        <div role="status">
          {next.is === 'failed' ? (
            <Failed why={t(errorKey(next.error.code))} below={hasRows} onRetry={retry} />
          ) : (
            next.is !== 'end' && (
              <>
                {next.is !== 'more' && <span className={text.unseen}>{t('common.wait')}</span>}
                {[1, 2].map((n) => (
                  <div key={n} className={cx(look.item, hasRows && look.ruled)}>
                    {skeleton}
                  </div>
                ))}
              </>
            )
          )}
        </div>
      </div>
    </>
  );
}

/** In place of all rows, or in one line below those there are. */
function Failed({ why, below, onRetry }: { why: string; below: boolean; onRetry: () => void }) {
  if (!below) return <Empty icon="offline" title={why} onRetry={onRetry} />;
  return (
    <div className={cx(look.item, look.ruled, look.row, styles.failed)}>
      {why}
      <RetryButton onPress={onRetry} />
    </div>
  );
}

function SkeletonRows() {
  return (
    <Row
      lead={<Skeleton width={40} height={40} radius={100} />}
      title={<Skeleton width="62%" />}
      note={<Skeleton width="38%" height={10} className={styles.second} />}
    />
  );
}
