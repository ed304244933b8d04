/** What the stores keep on the device. */
export type Box = {
  get(key: string): string | null;
  set(key: string, value: string): void;
};

/**
 * Local storage, or memory where it is blocked or full (spec §3): a private window, a cross-site frame, a full quota.
 * A value that could not be written lives in memory and hides the older one on the device.
 */
export function openBox(device: () => Storage): Box {
  const memory = new Map<string, string>();
  return {
    get(key) {
      const kept = memory.get(key);
      if (kept !== undefined) return kept;
      try {
        return device().getItem(key);
      } catch {
        return null;
      }
    },
    set(key, value) {
      try {
        device().setItem(key, value);
        memory.delete(key);
      } catch {
        memory.set(key, value);
      }
    },
  };
}
