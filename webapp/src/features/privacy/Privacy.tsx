import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import flex from '../../ui/flex.module.css';
import { Icon } from '../../ui/Icon';
import { Screen } from '../../ui/Screen';
import text from '../../ui/text.module.css';
import { acceptPrivacy } from './acceptPrivacy';
import styles from './Privacy.module.css';

// Spec §2: the sections in this order.
const sections = [
  { icon: 'person', title: 'privacy.given', words: ['privacy.given_text', 'privacy.given_game'] },
  { icon: 'phone', title: 'privacy.automatic', words: ['privacy.automatic_text'] },
  { icon: 'parcel', title: 'privacy.third', words: ['privacy.third_text'] },
  { icon: 'history', title: 'privacy.kept', words: ['privacy.kept_text'] },
  { icon: 'checklist', title: 'privacy.choices', words: ['privacy.choices_text'] },
] as const;

export const Privacy = observer(function Privacy() {
  const root = useRoot();
  const { t } = useTranslation();
  return (
    <Screen
      noTabBar
      className={styles.privacy}
      foot={
        <Button height={56} loading={root.user.saving} onPress={() => acceptPrivacy(root)}>
          {t('privacy.accept')}
        </Button>
      }
    >
      <div>
        <h1 className={cx(text.title, styles.title)}>{t('privacy.title')}</h1>
        <p>{t('privacy.intro')}</p>
      </div>
      {sections.map(({ icon, title, words }) => (
        <section key={title}>
          <h2 className={cx(flex.line, text.head, styles.head)}>
            <Icon name={icon} size={20} />
            {t(title)}
          </h2>
          {words.map((key) => (
            <p key={key}>{t(key)}</p>
          ))}
        </section>
      ))}
    </Screen>
  );
});
