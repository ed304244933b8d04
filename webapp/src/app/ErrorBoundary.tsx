import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import stone from '../art/ore-stone.svg';
import { reload } from '../telegram';
import { FullScreenNote } from '../ui/FullScreenNote';
import { RetryButton } from '../ui/RetryButton';

/** The last resort: a mistake of ours while drawing leaves a way back instead of an empty page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { happened: boolean }> {
  override state = { happened: false };

  static getDerivedStateFromError() {
    return { happened: true };
  }

  override render() {
    return this.state.happened ? <ErrorFallback /> : this.props.children;
  }
}

function ErrorFallback() {
  const { t } = useTranslation();
  return (
    <FullScreenNote art={stone} title={t('shell.failed')} text={t('shell.failed_text')}>
      <RetryButton height={56} onPress={reload} />
    </FullScreenNote>
  );
}
