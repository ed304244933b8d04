/** Spec §9: what a friend brings, once. */
export const reward = { coins: 50, points: 10 } as const;
/** Spec §9: per cent of a friend's purchases. */
export const share = 1;
/** Spec §9: two weeks, as days with a check-in. */
export const friendDays = 14;

/** Whether the missing days still fit the season; today's may be counted already. */
export function mayReach(days: number, required: number, daysLeft: number): boolean {
  return days + daysLeft >= required;
}
