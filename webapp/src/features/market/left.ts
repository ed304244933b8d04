export type Left = {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
};

/** Milliseconds as a clock of days counts them down: the last second has begun, and is not over. */
export function left(milliseconds: number): Left {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}

export const twoDigits = (n: number): string => String(n).padStart(2, '0');
