import { useTranslation } from 'react-i18next';
import { Button } from './Button';

type Props = {
  /** 56 px for the one thing to do on a screen. */
  height?: 32 | 40 | 56;
  loading?: boolean;
  onPress: () => void;
};

/** Tries again what has failed. */
export function RetryButton({ height = 40, loading = false, onPress }: Props) {
  const { t } = useTranslation();
  return (
    <Button
      variant={height === 56 ? 'primary' : 'secondary'}
      height={height}
      icon="retry"
      loading={loading}
      onPress={onPress}
    >
      {t('common.retry')}
    </Button>
  );
}
