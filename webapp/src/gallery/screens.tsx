import { type ReactNode, useEffect, useState } from 'react';
import { AdNote } from '../features/ads/AdNote';
import type { Stage } from '../features/ads/AdStore';
import { DesktopNotice } from '../features/desktop/DesktopNotice';
import { Loading } from '../features/loading/Loading';
import { Saving } from '../features/loading/Saving';
import { Screen } from '../ui/Screen';
import { lists } from './lists';

function LoadingShown() {
  const [ready, setReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setReady(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return <Loading speaks ready={ready} />;
}

function Ad({ stage }: { stage: Stage }) {
  const [open, setOpen] = useState(true);
  return (
    <Screen noTabBar>
      <AdNote open={open} stage={stage} onClose={() => setOpen(false)} />
    </Screen>
  );
}

/** Each is called once, when it is to be shown and before anything is drawn. */
export const screens: Record<string, () => ReactNode> = {
  loading: () => <LoadingShown />,
  saving: () => <Saving />,
  desktop: () => <DesktopNotice url="https://t.me/mcbk_bot/play?startapp=desktop" />,
  'ad-playing': () => <Ad stage="playing" />,
  'ad-late': () => <Ad stage="late" />,
  ...lists,
};
