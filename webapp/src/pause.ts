/** Resolves after so many milliseconds. */
export const pause = (duration: number) => new Promise<void>((resolve) => setTimeout(resolve, duration));
