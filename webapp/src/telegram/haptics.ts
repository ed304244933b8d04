import {
  hapticFeedbackImpactOccurred,
  hapticFeedbackNotificationOccurred,
  hapticFeedbackSelectionChanged,
} from '@telegram-apps/sdk-react';

/** What the player feels. Clients before 6.1, and most browsers, feel nothing. */
export const haptics = {
  impact: (style: 'light' | 'medium' | 'heavy') =>
    attempt(() => hapticFeedbackImpactOccurred.ifAvailable(style)),
  notify: (type: 'success' | 'warning' | 'error') =>
    attempt(() => hapticFeedbackNotificationOccurred.ifAvailable(type)),
  select: () => attempt(() => hapticFeedbackSelectionChanged.ifAvailable()),
};

function attempt(feel: () => unknown): void {
  try {
    feel();
  } catch {
    // Nothing depends on it.
  }
}
