import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import handshake from '../../art/handshake.svg';
import { Amount } from '../../ui/Amount';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { cx } from '../../ui/cx';
import { Empty } from '../../ui/Empty';
import flex from '../../ui/flex.module.css';
import { InfiniteList } from '../../ui/InfiniteList';
import { Row } from '../../ui/List';
import { Progress } from '../../ui/Progress';
import text from '../../ui/text.module.css';
import { useVisibleName } from '../../ui/useVisibleName';
import styles from './Friends.module.css';
import type { Friend } from './FriendsStore';
import { mayReach, reward } from './terms';
import { useFriends } from './useFriends';

const row = (friend: Friend) => <FriendRow friend={friend} />;

/** Spec §2: the invited friends and their progress. */
export const Friends = observer(function Friends() {
  const { friends } = useFriends();
  const { t } = useTranslation();
  return (
    <InfiniteList
      raised
      label={t('referral.friends')}
      {...friends.shown}
      row={row}
      empty={<Empty art={handshake} title={t('referral.none')} text={t('referral.none_note')} />}
    />
  );
});

/** Of days that are complete it promises nothing: a friend may have been rejected (decision 0006). Nor of those for which no time is left. */
export const FriendRow = observer(function FriendRow({ friend }: { friend: Friend }) {
  const { settings } = useRoot();
  const { t } = useTranslation();
  const name = useVisibleName(friend.name);
  const { days, days_required: required } = friend;
  const completed = friend.status === 'completed';
  const late = !completed && !mayReach(days, required, settings.daysLeft);
  const day = t(late ? 'referral.day_late' : 'referral.day', { day: days, of: required });
  return (
    <Row
      lead={<Avatar id={friend.number} name={friend.name} photo={friend.avatar} />}
      title={
        <span className={styles.name} translate="no">
          <span className={text.ellipsis} dir="auto">
            {name}
          </span>
          {friend.nickname && <span className={cx(text.sub, text.ellipsis)}>{`@${friend.nickname}`}</span>}
        </span>
      }
      end={
        late ? null : (
          <span className={cx(flex.column, styles.reward, !completed && styles.due)}>
            <Amount asset="coin" value={reward.coins} trim />
            <Amount asset="points" value={reward.points} />
          </span>
        )
      }
    >
      {completed ? (
        <Badge tone="moss" icon="check">
          {day}
        </Badge>
      ) : (
        <span className={flex.line}>
          <Progress value={days} max={required} tone="cream" size="s" label={name} className={styles.bar} />
          <span className={text.sub}>{day}</span>
        </span>
      )}
    </Row>
  );
});
