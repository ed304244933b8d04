import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GameSheet } from '../../app/GameSheet';
import { useLanguage, useRoot } from '../../app/RootContext';
import ton from '../../art/ton.svg';
import trophy from '../../art/trophy.svg';
import { formatInteger, fromMicro, type Language, rankAmong, shortAddress, toMicro } from '../../format';
import { Avatar } from '../../ui/Avatar';
import { Checkbox } from '../../ui/Checkbox';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { HeroAmount } from '../../ui/HeroAmount';
import { Icon } from '../../ui/Icon';
import { List, ListRow, RowIcon } from '../../ui/List';
import { PlayerName } from '../../ui/PlayerName';
import { Tabs } from '../../ui/Tabs';
import { Figure, Total, Totals } from '../../ui/Totals';
import text from '../../ui/text.module.css';
import { WalletButton } from '../wallet/WalletButton';
import styles from './Profile.module.css';
import { setLanguage } from './setLanguage';

/** Each language's own name. */
const languages: readonly { id: Language; text: string }[] = [
  { id: 'en', text: 'English' },
  { id: 'ru', text: 'Русский' },
];

/** From a million coins on the total is written smaller on a narrow screen. */
const long = toMicro(1_000_000);

/** Spec §2, the user-info block. */
export function Profile() {
  const { t } = useTranslation();
  return (
    <GameSheet name="profile" title={t('screens.profile')}>
      <div className={styles.profile}>
        <Card />
        <Figures />
        <Links />
        <Settings />
      </div>
    </GameSheet>
  );
}

const Card = observer(function Card() {
  const { user, tap } = useRoot();
  const player = user.user;
  if (!player) return null;
  return (
    <section className={cx(flex.line, styles.card)}>
      <Avatar id={player.id} name={player.first_name} photo={player.photo_url} size={64} />
      <PlayerName name={player.first_name} premium={player.is_premium}>
        <HeroAmount
          asset="coin"
          value={fromMicro(tap.total)}
          className={cx(styles.total, tap.total >= long && styles.long)}
        />
      </PlayerName>
    </section>
  );
});

const Figures = observer(function Figures() {
  const { user } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const player = user.user;
  if (!player) return null;
  const { balance, stats } = player;
  return (
    <Totals raised>
      <Total label={t('profile.points')}>
        <Figure asset="points" value={user.points} />
      </Total>
      <Total label={t('profile.days')}>{formatInteger(stats.total_days_in_game, language)}</Total>
      <Total label={t('profile.won')}>
        <Figure asset="coin" value={stats.won_mcbk} />
      </Total>
      <Total label={t('profile.purchased')}>
        <Figure asset="coin" value={balance.purchased_mcbk} />
      </Total>
    </Totals>
  );
});

const Links = observer(function Links() {
  const { user } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  const player = user.user;
  if (!player) return null;
  const rank = player.stats.leaderboard_rank;
  const address = player.wallet_address;
  return (
    <List raised>
      <ListRow
        to="/leaderboard"
        lead={<RowIcon raised art={trophy} />}
        title={t('home.leaderboard')}
        note={rank === null ? t('home.rank_unknown') : t('home.place')}
        end={
          <>
            {rank !== null && (
              <span className={text.numM}>
                {t('home.rank', { rank: rankAmong(rank, player.balance.game_mcbk, language) })}
              </span>
            )}
            <Icon name="caretRight" size={14} className={text.faint} />
          </>
        }
      />
      <ListRow
        to="/wallet"
        lead={<RowIcon raised art={ton} />}
        title={t('nav.wallet')}
        note={address ? shortAddress(address) : t('profile.not_connected')}
        end={<Icon name="caretRight" size={14} className={text.faint} />}
      />
      <li className={styles.connect}>
        <WalletButton />
      </li>
    </List>
  );
});

const Settings = observer(function Settings() {
  const root = useRoot();
  const { user, sounds } = root;
  const { t } = useTranslation();
  const language = useLanguage();
  const [spoken, speak] = useChoice(language, (wanted) => setLanguage(root, wanted));
  const [notified, setNotified] = useChoice(user.user?.notifications ?? false, (wanted) =>
    user.change({ notifications: wanted }),
  );
  const [heard, hear] = useChoice(sounds.on, (wanted) => sounds.turn(wanted));
  return (
    <section className={cx(flex.column, styles.settings)} aria-busy={user.saving}>
      <h3 className={text.over}>{t('profile.language')}</h3>
      <Tabs label={t('profile.language')} tabs={languages} value={spoken} onChange={speak} />
      <Checkbox boxed checked={notified} onChange={setNotified}>
        <span className={cx(flex.column, styles.line)}>
          <span className={text.row}>{t('profile.notifications')}</span>
          <span className={text.sub}>{t('profile.notifications_note')}</span>
        </span>
      </Checkbox>
      <Checkbox boxed checked={heard} onChange={hear}>
        <span className={cx(flex.column, styles.line)}>
          <span className={text.row}>{t('profile.sounds')}</span>
          <span className={text.sub}>{t('profile.sounds_note')}</span>
        </span>
      </Checkbox>
    </section>
  );
});

/** What the player chooses shows at once, and what `is` when the choice has been made or refused. */
function useChoice<T>(is: T, make: (wanted: T) => Promise<unknown>): [T, (wanted: T) => void] {
  const [wish, setWish] = useState<{ readonly wanted: T } | null>(null);
  const choose = (wanted: T) => {
    const mine = { wanted };
    setWish(mine);
    void make(wanted).finally(() => setWish((last) => (last === mine ? null : last)));
  };
  return [wish === null ? is : wish.wanted, choose];
}
