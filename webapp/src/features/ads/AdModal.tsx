import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useRoot } from '../../app/RootContext';
import { AdNote } from './AdNote';
import type { Stage } from './AdStore';

/** Spec §4: open while an ad is; the player can close it at any time. */
export const AdModal = observer(function AdModal() {
  const { ads, modals } = useRoot();
  const { stage } = ads;
  // While it leaves, its words stay.
  const [last, setLast] = useState<Stage>('opening');
  if (stage !== 'none' && stage !== last) setLast(stage);
  return <AdNote open={modals.shown?.is === 'ad'} stage={last} onClose={() => modals.close('ad')} />;
});
