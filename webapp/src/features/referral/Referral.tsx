import { observer } from 'mobx-react-lite';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { GameSheet } from '../../app/GameSheet';
import { useLanguage, useRoot } from '../../app/RootContext';
import chest from '../../art/chest.svg';
import { formatInteger } from '../../format';
import { Amount } from '../../ui/Amount';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Screen } from '../../ui/Screen';
import { SheetHandle } from '../../ui/SheetHandle';
import { Total, Totals } from '../../ui/Totals';
import text from '../../ui/text.module.css';
import { Friends } from './Friends';
import styles from './Referral.module.css';
import { friendDays, mayReach, reward, share } from './terms';
import { useFriends } from './useFriends';

/** Faces beside the number of friends. */
const faces = 3;
/** From here on a figure is written smaller, so that half of a narrow screen holds it. */
const wide = 10_000;

/** Spec §2: the invitation link, the terms, and the friends. */
export default observer(function Referral() {
  const friends = useFriends();
  const { daysLeft } = useRoot().settings;
  const { t } = useTranslation();
  useEffect(() => friends.enter(), [friends]);
  const open = mayReach(0, friendDays, daysLeft);
  const late = daysLeft === 0 ? 'referral.over' : 'referral.late';
  return (
    <>
      <Screen handle={<FriendsHandle />} className={styles.referral}>
        <header className={cx(flex.line, styles.head)}>
          <div className={styles.words}>
            <h1 className={cx(text.title, styles.title)}>{t('referral.title')}</h1>
            <p className={text.sub}>{open ? t('referral.active') : t(late, { days: friendDays })}</p>
          </div>
          <img src={chest} alt="" width={128} height={128} />
        </header>
        <Card>
          <h2 className={text.over}>
            {open || daysLeft === 0 ? t('referral.each') : t('referral.each_late', { days: friendDays })}
          </h2>
          {daysLeft > 0 && (
            <div className={styles.reward}>
              <Amount asset="coin" size="l" value={reward.coins} trim />
              <Amount asset="points" size="l" value={reward.points} />
            </div>
          )}
          <p className={cx(flex.line, styles.share)}>
            <Badge tone="gold" size="l">
              {`+${share}%`}
            </Badge>
            <span>{t('referral.share')}</span>
          </p>
        </Card>
        <Invite />
        <Brought />
        {open && <Way />}
      </Screen>
      <FriendsSheet />
    </>
  );
});

function Way() {
  const { t } = useTranslation();
  return (
    <Card className={styles.way}>
      <h2 className={text.over}>{t('referral.way')}</h2>
      <ol role="list">
        <li>{t('referral.step_1')}</li>
        <li>{t('referral.step_2', { count: friendDays })}</li>
        <li>{t('referral.step_3')}</li>
      </ol>
    </Card>
  );
}

const Invite = observer(function Invite() {
  const friends = useFriends();
  const { t } = useTranslation();
  return (
    <>
      <div className={styles.invite}>
        <Button
          height={56}
          width="grow"
          icon="send"
          loading={friends.inviting}
          onPress={() => void friends.invite(t('referral.message'))}
        >
          {t('referral.invite')}
        </Button>
        <Button
          variant="secondary"
          height={56}
          width="auto"
          icon="copy"
          label={t('referral.copy')}
          disabled={friends.inviting}
          onPress={() => void friends.copy()}
          className={styles.copy}
        />
      </div>
      {friends.plain && <p className={styles.plain}>{friends.plain}</p>}
    </>
  );
});

/** Spec §1: the referral balance. */
const Brought = observer(function Brought() {
  const { user } = useRoot();
  const { t } = useTranslation();
  if (!user.user) return null;
  const { referral_game_mcbk: coins, referral_game_points: points } = user.user.balance;
  return (
    <Totals>
      <Total label={t('referral.coins')}>
        <Amount asset="coin" size={coins < wide ? 'm' : 's'} value={coins} trim />
      </Total>
      <Total label={t('referral.points')}>
        <Amount asset="points" size={points < wide ? 'm' : 's'} value={points} />
      </Total>
    </Totals>
  );
});

const FriendsHandle = observer(function FriendsHandle() {
  const { modals } = useRoot();
  const { total, completed, uncounted, friends } = useFriends();
  const { t } = useTranslation();
  const language = useLanguage();
  const first = friends.list.is === 'rows' ? friends.list.rows.slice(0, faces) : [];
  const missing = friends.list.is === 'failed' || uncounted;
  const loaded = total !== null && completed !== null;
  const note =
    total === 0
      ? t('referral.none_yet')
      : loaded
        ? t('referral.completed', {
            shown: formatInteger(completed, language),
            all: formatInteger(total, language),
          })
        : t(missing ? 'referral.unknown' : 'referral.looking');
  return (
    <SheetHandle
      {...(first.length === 0
        ? { icon: 'friends' as const }
        : {
            lead: (
              <span className={styles.faces}>
                {first.map((friend) => (
                  <Avatar
                    key={friend.number}
                    id={friend.number}
                    name={friend.name}
                    photo={friend.avatar}
                    size={32}
                  />
                ))}
              </span>
            ),
          })}
      title={title(t, total, language)}
      note={note}
      onOpen={() => modals.openSheet('friends')}
    />
  );
});

const FriendsSheet = observer(function FriendsSheet() {
  const { total } = useFriends();
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <GameSheet name="friends" title={title(t, total, language)}>
      <Friends />
    </GameSheet>
  );
});

type Translate = ReturnType<typeof useTranslation>['t'];

/** Spec §2: 'N Friends', or 'No Friends'. */
function title(t: Translate, total: number | null, language: 'en' | 'ru'): string {
  if (total === null) return t('referral.friends');
  if (total === 0) return t('referral.none');
  return t('referral.count', { count: total, shown: formatInteger(total, language) });
}
