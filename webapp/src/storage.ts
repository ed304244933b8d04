/** Values on the device, or in memory where the device does not take them. Nothing throws. */
export type KeyValueStorage = {
  get(key: string): string | null;
  /** Whether the value is on the device, and so outlives the page. */
  set(key: string, value: string): boolean;
  remove(key: string): void;
};

/**
 * Web Storage, or memory where it is blocked, missing or full (spec §3): a private window, a cross-site frame, a full quota.
 * A value that does not fit lives in memory, and the older one is taken off the device: whoever reads it there later,
 * another page of the game for one, would take it for the last.
 */
export function openStorage(device: () => Storage | null): KeyValueStorage {
  const memory = new Map<string, string | null>();
  return {
    get(key) {
      const cached = memory.get(key);
      if (cached !== undefined) return cached;
      try {
        return device()?.getItem(key) ?? null;
      } catch {
        return null;
      }
    },
    set(key, value) {
      const stored = write(device, key, value);
      if (stored) memory.delete(key);
      else memory.set(key, value);
      return stored;
    },
    remove(key) {
      try {
        device()?.removeItem(key);
        memory.delete(key);
      } catch {
        memory.set(key, null);
      }
    },
  };
}

function write(device: () => Storage | null, key: string, value: string): boolean {
  try {
    const storage = device();
    if (!storage) return false;
    try {
      storage.setItem(key, value);
    } catch {
      // The room of the older value may be all the new one needs.
      storage.removeItem(key);
      storage.setItem(key, value);
    }
    return storage.getItem(key) === value;
  } catch {
    return false;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The records under a key, by name: whoever wrote them may have been another version. None where they cannot be read. */
export function readRecords(storage: KeyValueStorage, key: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(storage.get(key) ?? '{}');
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** One of the window's storages. Libraries use them unguarded, so a broken one is replaced by its box. */
export function openDevice(name: 'localStorage' | 'sessionStorage'): KeyValueStorage {
  let storage: Storage | null = null;
  try {
    storage = window[name];
  } catch {
    // Blocked.
  }
  const box = openStorage(() => storage);
  const works = box.set('probe', '1');
  box.remove('probe');
  if (works) return box;
  try {
    const value = { getItem: box.get, setItem: box.set, removeItem: box.remove };
    Object.defineProperty(window, name, { value, configurable: true });
  } catch {
    // A client has fixed the broken one.
  }
  return box;
}

/** What this visit keeps across reloads. */
export const session = openDevice('sessionStorage');
