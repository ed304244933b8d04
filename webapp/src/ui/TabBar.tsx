import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { haptics } from '../telegram';
import { cx } from './cx';
import { Icon } from './Icon';
import styles from './TabBar.module.css';

// spec §2: the five entries of the bottom navigation.
const entries = [
  { to: '/', icon: 'home', text: 'nav.home' },
  { to: '/roulette', icon: 'wheel', text: 'nav.wheel' },
  { to: '/market', icon: 'market', text: 'nav.market' },
  { to: '/referral', icon: 'friends', text: 'nav.referral' },
  { to: '/wallet', icon: 'wallet', text: 'nav.wallet' },
] as const;

type Props = {
  /** Where the player is now. */
  path: string;
};

export function TabBar({ path }: Props) {
  const { t } = useTranslation();
  return (
    <nav className={styles.dock} aria-label={t('nav.label')}>
      {entries.map(({ to, icon, text }) => (
        <Link
          key={to}
          to={to}
          className={cx(styles.entry, to === path && styles.current)}
          aria-current={to === path ? 'page' : undefined}
          onClick={(press) => {
            haptics.select();
            // Where one is already, no step back leads to.
            if (window.location.pathname === to) press.preventDefault();
          }}
        >
          <Icon name={icon} size={25} />
          {t(text)}
        </Link>
      ))}
    </nav>
  );
}
