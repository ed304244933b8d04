import type { MethodParams } from '@telegram-apps/sdk-react';
import { post } from './bridge';

type Impact = 'light' | 'medium' | 'heavy';
type Notice = 'success' | 'warning' | 'error';

/** What the player feels; a peg of the wheel feels like any choice, but sounds like a peg. */
export type HapticKind = Impact | Notice | 'select' | 'peg';

/**
 * What the player feels. Clients before 6.1, and most browsers, feel nothing.
 *
 * One press is felt once: of what is asked for in one turn only the last is played. So a button that at once says what
 * is wrong is felt as the error and not as the press too.
 */
export const haptics = {
  /** The one action to take now was pressed. */
  press: () => haptics.impact('medium'),
  impact: (style: Impact) => play(style, { type: 'impact', impact_style: style }),
  notify: (type: Notice) => play(type, { type: 'notification', notification_type: type }),
  select: () => play('select', selection),
  peg: () => play('peg', selection),
  /** Tells of all that is felt from now on, also where no phone shakes; null: nobody listens any more. */
  tell: (whom: ((felt: HapticKind) => void) | null) => {
    listener = whom;
  },
};

type Shake = MethodParams<'web_app_trigger_haptic_feedback'>;

const selection: Shake = { type: 'selection_change' };

let listener: ((felt: HapticKind) => void) | null = null;
let next: { felt: HapticKind; shake: Shake } | null = null;

function play(felt: HapticKind, shake: Shake): void {
  if (!next) queueMicrotask(finish);
  next = { felt, shake };
}

function finish(): void {
  if (!next) return;
  const { felt, shake } = next;
  next = null;
  post('web_app_trigger_haptic_feedback', shake);
  try {
    listener?.(felt);
  } catch {
    // Nothing depends on it.
  }
}
