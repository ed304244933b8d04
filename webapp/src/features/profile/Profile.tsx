import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useLanguage, useRoot } from '../../app/RootContext';
import type { Language } from '../../format';
import { Checkbox } from '../../ui/Checkbox';
import { Tabs } from '../../ui/Tabs';
import text from '../../ui/text.module.css';
import styles from './Profile.module.css';

/** A language is named in itself, for whoever looks for it. */
const languages: readonly { id: Language; text: string }[] = [
  { id: 'en', text: 'English' },
  { id: 'ru', text: 'Русский' },
];

const Profile = observer(function Profile() {
  const { user } = useRoot();
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <div className={styles.profile}>
      <section>
        <h3 className={text.over}>{t('profile.language')}</h3>
        <Tabs
          label={t('profile.language')}
          tabs={languages}
          value={language}
          onChange={(chosen) => void user.setLanguage(chosen)}
        />
      </section>
      <Checkbox
        boxed
        checked={user.user?.notifications ?? false}
        onChange={(wanted) => void user.setNotifications(wanted)}
      >
        <span className={styles.line}>
          <span className={text.row}>{t('profile.notifications')}</span>
          <span className={text.sub}>{t('profile.notifications_note')}</span>
        </span>
      </Checkbox>
    </div>
  );
});

export default Profile;
