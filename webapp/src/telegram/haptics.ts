import {
  hapticFeedbackImpactOccurred,
  hapticFeedbackNotificationOccurred,
  hapticFeedbackSelectionChanged,
} from '@telegram-apps/sdk-react';

type Impact = 'light' | 'medium' | 'heavy';
type Notice = 'success' | 'warning' | 'error';

/** What the player feels; a peg of the wheel feels like any choice, but sounds like a peg. */
export type Felt = Impact | Notice | 'select' | 'peg';

/**
 * What the player feels. Clients before 6.1, and most browsers, feel nothing.
 *
 * One press is felt once: of what is asked for in one turn only the last is played. So a button that at once says what
 * is wrong is felt as the error and not as the press too.
 */
export const haptics = {
  /** The one action to take now was pressed. */
  press: () => haptics.impact('medium'),
  impact: (style: Impact) => play(style, () => hapticFeedbackImpactOccurred.ifAvailable(style)),
  notify: (type: Notice) => play(type, () => hapticFeedbackNotificationOccurred.ifAvailable(type)),
  select: () => play('select', () => hapticFeedbackSelectionChanged.ifAvailable()),
  peg: () => play('peg', () => hapticFeedbackSelectionChanged.ifAvailable()),
  /** Tells of all that is felt from now on, also where no phone shakes; null: nobody listens any more. */
  tell: (whom: ((felt: Felt) => void) | null) => {
    listener = whom;
  },
};

type Feeling = { felt: Felt; shake: () => unknown };

let listener: ((felt: Felt) => void) | null = null;
let next: Feeling | null = null;

function play(felt: Felt, shake: () => unknown): void {
  if (!next) queueMicrotask(finish);
  next = { felt, shake };
}

function finish(): void {
  const feeling = next;
  next = null;
  if (!feeling) return;
  for (const part of [feeling.shake, () => listener?.(feeling.felt)]) {
    try {
      part();
    } catch {
      // Nothing depends on it.
    }
  }
}
