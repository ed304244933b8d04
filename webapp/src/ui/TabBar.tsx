import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { tabs } from '../app/routes';
import { haptics } from '../telegram';
import { cx } from './cx';
import { Icon } from './Icon';
import styles from './TabBar.module.css';

type Props = {
  /** Where the player is now. */
  path: string;
};

export function TabBar({ path }: Props) {
  const { t } = useTranslation();
  return (
    <nav className={styles.dock} aria-label={t('nav.label')}>
      {tabs.map(({ path: to, tab: { icon, text } }) => (
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
