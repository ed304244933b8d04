import {
  hapticFeedbackImpactOccurred,
  hapticFeedbackNotificationOccurred,
  hapticFeedbackSelectionChanged,
} from '@telegram-apps/sdk-react';

/**
 * What the player feels. Clients before 6.1, and most browsers, feel nothing.
 *
 * One press is felt once: of what is asked for in one turn only the last is played. So a button that at once says what
 * is wrong is felt as the error and not as the press too.
 */
export const haptics = {
  /** The one action to take now was pressed. */
  press: () => haptics.impact('medium'),
  impact: (style: 'light' | 'medium' | 'heavy') =>
    play(() => hapticFeedbackImpactOccurred.ifAvailable(style)),
  notify: (type: 'success' | 'warning' | 'error') =>
    play(() => hapticFeedbackNotificationOccurred.ifAvailable(type)),
  select: () => play(() => hapticFeedbackSelectionChanged.ifAvailable()),
};

let next: (() => unknown) | null = null;

function play(feel: () => unknown): void {
  if (!next) queueMicrotask(finish);
  next = feel;
}

function finish(): void {
  const feel = next;
  next = null;
  try {
    feel?.();
  } catch {
    // Nothing depends on it.
  }
}
