/** Spec §9: what a friend brings, once. */
export const reward = { coins: 50, points: 10 } as const;
/** Spec §9: per cent of a friend's purchases. */
export const share = 1;
/** Spec §9: two weeks, as days with a check-in. */
export const friendDays = 14;

/** Whether the season has room for the days that are missing; today's may be among those that are counted, which nobody knows. */
export function mayReach(days: number, required: number, daysLeft: number): boolean {
  return days + daysLeft >= required;
}
