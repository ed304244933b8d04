import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button';
import { FullScreenNote } from '../../ui/FullScreenNote';

type Props = {
  /** The name of the screen that is not open yet; "Soon" when left out. */
  title?: string;
  art: string;
  text?: string;
  /** Where a screen has no dock, a button leads back to Home. */
  nodock?: boolean;
};

export function Soon({ title, art, text, nodock = false }: Props) {
  const { t } = useTranslation();
  return (
    <FullScreenNote art={art} title={title ?? t('soon.title')} text={text ?? t('soon.text')} nodock={nodock}>
      {nodock && (
        <Button variant="secondary" width="full" to="/">
          {t('soon.home')}
        </Button>
      )}
    </FullScreenNote>
  );
}
