import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { tabs } from '../app/routes';
import { haptics } from '../telegram';
import { cx } from './cx';
import { Icon } from './Icon';
import styles from './TabBar.module.css';

type TabBadge = { count?: number; golden?: boolean; text: string };

type Props = {
  /** Where the player is now. */
  path: string;
  /** What waits behind the other tabs: a count or, without one, a dot. */
  badges?: Readonly<Record<string, TabBadge | false | null>>;
};

export function TabBar({ path, badges = {} }: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <nav className={styles.dock} aria-label={t('nav.label')}>
      {tabs.map(({ path: to, tab: { icon, text } }) => {
        const badge = to !== path && badges[to];
        return (
          <Link
            key={to}
            to={to}
            className={cx(styles.entry, to === path && styles.current)}
            aria-current={to === path ? 'page' : undefined}
            aria-label={t(text)}
            aria-describedby={badge ? id + to : undefined}
            onClick={(press) => {
              haptics.select();
              // Where one is already, no step back leads to.
              if (window.location.pathname === to) press.preventDefault();
            }}
          >
            <Icon name={icon} size={25} />
            {t(text)}
            {badge && (
              <span
                data-count={badge.count ?? ''}
                className={cx(
                  styles.badge,
                  badge.count === undefined && styles.dot,
                  badge.golden && styles.golden,
                )}
              >
                <span id={id + to} hidden>
                  {badge.text}
                </span>
              </span>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
