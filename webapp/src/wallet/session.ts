import type { KeyValueStorage } from '../storage';

/** Where the library keeps the connection under names of its own. */
export type TonConnectStorage = {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
};

/** A device may be shared, so each player's connection is kept under their own key. */
const key = (player: number, name: string) => `wallet:${player}:${name}`;

/** The library's name for the connection itself. */
const connection = 'ton-connect-storage_bridge-connection';

/** Keeps a player's connection on the device, or in memory where that is not to be had. */
export function tonConnectStorage(box: KeyValueStorage, player: number): TonConnectStorage {
  return {
    getItem: async (name) => box.get(key(player, name)) || null,
    setItem: async (name, value) => void box.set(key(player, name), value),
    removeItem: async (name) => void box.set(key(player, name), ''),
  };
}

/** The player has ended the connection that is kept, though the library has not let go of it yet. */
export function isEnded(box: KeyValueStorage, player: number): boolean {
  return Boolean(box.get(key(player, 'ended')));
}

export function setEnded(box: KeyValueStorage, player: number, ended: boolean): void {
  if (ended) box.set(key(player, 'ended'), '1');
  else box.remove(key(player, 'ended'));
}

/** Whether this device keeps a connection of the player's. */
export function isKept(box: KeyValueStorage, player: number): boolean {
  return Boolean(box.get(key(player, connection)));
}
