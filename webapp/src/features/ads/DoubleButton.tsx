import { observer } from 'mobx-react-lite';
import { useTranslation } from 'react-i18next';
import { useRoot } from '../../app/RootContext';
import { Button } from '../../ui/Button';
import text from '../../ui/text.module.css';

type Props = {
  /** An ad for this was seen just now and is about to be confirmed. */
  awaited: boolean;
  disabled?: boolean;
  /** How many times the reward is paid in all. */
  times?: number;
  /** The one thing to do now. */
  primary?: boolean;
  onPress: () => void;
};

/** Multiplies a reward by an ad; disabled with a note if there are none. */
export const DoubleButton = observer(function DoubleButton({
  awaited,
  disabled = false,
  times = 2,
  primary = false,
  onPress,
}: Props) {
  const { ads } = useRoot();
  const { t } = useTranslation();
  const why = awaited ? t('ads.awaited') : ads.isUnavailable ? t('ads.off') : null;
  return (
    <>
      <Button
        {...(primary ? { height: 56 as const } : { variant: 'secondary' as const })}
        width="full"
        icon="play"
        disabled={disabled || why !== null}
        onPress={onPress}
      >
        {times === 2 ? t('ads.double') : t('ads.times', { times })}
      </Button>
      {why !== null && <p className={text.sub}>{why}</p>}
    </>
  );
});
