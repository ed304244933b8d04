import { useTranslation } from 'react-i18next';
import construction from '../art/construction.svg';
import { Button } from '../ui/Button';
import { FullScreenNote } from '../ui/FullScreenNote';
import { useRoot } from './RootContext';

/** Spec §2: 'Technical works', a Restart button and an Exit link to Home. */
export default function MaintenanceScreen() {
  const { t } = useTranslation();
  const root = useRoot();
  return (
    <FullScreenNote art={construction} title={t('shell.maintenance')} text={t('shell.maintenance_text')}>
      <Button height={56} icon="retry" onPress={() => root.boot.restart()}>
        {t('shell.restart')}
      </Button>
      <Button variant="quaternary" width="full" to="/" onPress={() => root.boot.leaveMaintenance()}>
        {t('shell.exit')}
      </Button>
    </FullScreenNote>
  );
}
