import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Amount, type Asset } from './Amount';
import { Avatar } from './Avatar';
import { Badge } from './Badge';
import { cx } from './cx';
import { splitNumber } from './figures';
import { InfiniteList } from './InfiniteList';
import { Row } from './List';
import { medals } from './medals';
import styles from './RankList.module.css';
import { Skeleton } from './Skeleton';
import text from './text.module.css';
import { useVisibleName } from './useVisibleName';

type ListProps<Item> = Omit<ComponentProps<typeof InfiniteList<Item>>, 'skeleton' | 'className'>;

/** An `<InfiniteList>` of `<RankRow>`s with the player's own row on top. */
export function RankList<Item>(props: ListProps<Item>) {
  return <InfiniteList {...props} className={styles.list} skeleton={<SkeletonRows />} />;
}

type RowProps = {
  /** From 1; null while the player has none. */
  rank: number | null;
  /** Why there is no rank. */
  unranked?: string;
  /** Gives the colour behind the initial, see `<Avatar>`. */
  id: number;
  name: string;
  photo: string;
  note: string;
  asset: Asset;
  value: number;
  /** The first three have larger faces and figures. */
  grand?: boolean;
  /** The player's own row. */
  own?: boolean;
};

/** A ranked player: ranks 1 to 3 have medals, a score of 0 has no rank. */
export function RankRow({
  rank: given,
  unranked,
  id,
  name,
  photo,
  note,
  asset,
  value,
  grand = false,
  own = false,
}: RowProps) {
  const { t } = useTranslation();
  const rank = value > 0 ? given : null;
  const medal = rank === null ? undefined : medals[rank - 1];
  const step = own || !medal || rank === null ? null : rank - 1;
  const large = grand && step !== null;
  return (
    <Row
      className={cx(styles.row, own && styles.own, step !== null && podium[step], large && styles.grand)}
      lead={
        <>
          {medal ? (
            <img src={medal} alt={`#${rank}`} className={styles.medal} />
          ) : (
            <Place rank={rank} why={given === null ? unranked : undefined} />
          )}
          <Avatar id={id} name={name} photo={photo} />
        </>
      }
      title={
        <span className={styles.name}>
          <span className={text.ellipsis} dir="auto" translate="no">
            {useVisibleName(name)}
          </span>
          {own && <Badge className={styles.you}>{t('ranks.you')}</Badge>}
        </span>
      }
      note={<span className={styles.note}>{note}</span>}
      end={
        <Amount
          asset={asset}
          value={value}
          className={cx(styles.sum, value >= long && styles.long)}
          {...(value >= exact && { decimals: 0 })}
          {...(large && { size: 'm' })}
        />
      }
    />
  );
}

const podium = [styles.first, styles.second, styles.third];
/** From this place on a rank is written smaller. */
const far = 1000;
/** From here on a figure has no decimals. */
const exact = 1000;
/** From here on a figure is written smaller, so that there is room for the name. */
const long = 1_000_000;

function Place({ rank, why }: { rank: number | null; why: string | undefined }) {
  const { t, i18n } = useTranslation();
  return (
    <span
      className={cx(styles.rank, rank !== null && rank >= far && styles.far)}
      title={rank === null ? why : undefined}
    >
      {rank === null
        ? t('ranks.unknown')
        : t('home.rank', { rank: splitNumber(rank, 0, i18n.language).integer })}
    </span>
  );
}

function SkeletonRows() {
  return (
    <Row
      className={styles.row}
      lead={
        <>
          <span className={styles.rank}>
            <Skeleton width={28} height={12} />
          </span>
          <Skeleton width="var(--avatar)" height="var(--avatar)" radius={100} />
        </>
      }
      title={<Skeleton width="72%" />}
      note={<Skeleton width="44%" height={10} className={styles.under} />}
      end={<Skeleton width={96} height={16} />}
    />
  );
}
