/** What the stores keep on the device. */
export type Box = {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
};

/**
 * Local storage, or memory where it is blocked or full (spec §3): a private window, a cross-site frame, a full quota.
 * A value that does not fit lives in memory, and the older one is taken off the device: whoever reads it there later,
 * another page of the game for one, would take it for the last.
 */
export function openBox(device: () => Storage): Box {
  const memory = new Map<string, string | null>();
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
      if (write(device, key, value)) memory.delete(key);
      else memory.set(key, value);
    },
    remove(key) {
      try {
        device().removeItem(key);
        memory.delete(key);
      } catch {
        memory.set(key, null);
      }
    },
  };
}

function write(device: () => Storage, key: string, value: string): boolean {
  try {
    device().setItem(key, value);
    return true;
  } catch {
    try {
      // The room of the older value may be all the new one needs.
      device().removeItem(key);
      device().setItem(key, value);
      return true;
    } catch {
      return false;
    }
  }
}
