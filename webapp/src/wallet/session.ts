import type { KeyValueStorage } from '../storage';

/** The storage the library is given for its connection. */
export type TonConnectStorage = {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
};

/** A device may be shared: each player has a connection of their own. */
const key = (player: number, name: string) => `wallet:${player}:${name}`;

/** The key under which the library stores the connection. */
const connection = 'ton-connect-storage_bridge-connection';

/** On the device, or in memory where it has no storage. */
export function tonConnectStorage(box: KeyValueStorage, player: number): TonConnectStorage {
  return {
    getItem: async (name) => box.get(key(player, name)) || null,
    setItem: async (name, value) => void box.set(key(player, name), value),
    removeItem: async (name) => void box.set(key(player, name), ''),
  };
}

/** The player has ended the kept connection, though the library still stores it. */
export function isEnded(box: KeyValueStorage, player: number): boolean {
  return Boolean(box.get(key(player, 'ended')));
}

export function setEnded(box: KeyValueStorage, player: number, ended: boolean): void {
  if (ended) box.set(key(player, 'ended'), '1');
  else box.remove(key(player, 'ended'));
}

/** Whether this device keeps a connection of the player. */
export function isKept(box: KeyValueStorage, player: number): boolean {
  return Boolean(box.get(key(player, connection)));
}
