import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import type { CardSubject } from '../../api/types';
import { Button } from '../../ui/Button';
import { useRecap } from './RecapStore';

/** Has the bot send a picture of the season or of a tournament to the player's chat with it. */
export const CardButton = observer(function CardButton({ of }: { of: CardSubject }) {
  const recap = useRecap();
  const { t } = useTranslation();
  const sent = recap.sent.has(of);
  return (
    <Button
      variant={sent ? 'secondary' : 'primary'}
      height={56}
      icon={sent ? 'check' : 'telegram'}
      loading={recap.sending === of}
      disabled={sent}
      onPress={() => void recap.send(of)}
    >
      {t(sent ? 'recap.sent' : 'recap.send')}
    </Button>
  );
});
