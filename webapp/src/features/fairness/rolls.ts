/**
 * How a spin follows from its seeds (spec §4), written a second time: what is checked here is the server's word, so none
 * of the server's code has a part in it. docs/fairness.md shows the same with a shell.
 */

/** The outcomes in the order of the table, with their weights. */
type Odds<Type extends string> = readonly { readonly type: Type; readonly weight: number }[];

/** HMAC-SHA256 of a message under the server seed, 32 bytes. */
type Digest = (message: string) => Promise<Uint8Array>;

/** Two rolls of 0 to 99: where the wheel stops, and what a chest there holds. */
export type Rolls = readonly [wheel: number, chest: number];

/** Words from here on are left over when all words are dealt out by hundreds. */
const leftOver = 4_294_967_200;

/** Decodes hex digits; null for anything else. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A digest as eight 4-byte words, the first byte weighing most. */
export function wordsOf(digest: Uint8Array): number[] {
  const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
  return Array.from({ length: Math.floor(digest.byteLength / 4) }, (_, n) => view.getUint32(4 * n));
}

/** The roll of a word; null for a word that would make some rolls likelier than others. */
export function rollOf(word: number): number | null {
  return word >= leftOver ? null : word % 100;
}

/** The rolls of `client_seed:nonce`. Should its words run out, those of `client_seed:nonce:1`, `:2` and so on follow. */
export async function rollsOf(digest: Digest, message: string): Promise<Rolls> {
  const rolls: number[] = [];
  for (let more = 0; ; more += 1) {
    for (const word of wordsOf(await digest(more === 0 ? message : `${message}:${more}`))) {
      const roll = rollOf(word);
      if (roll !== null) rolls.push(roll);
      const [wheel, chest] = rolls;
      if (wheel !== undefined && chest !== undefined) return [wheel, chest];
    }
  }
}

/** Which place of a table a roll falls on: the first whose weights so far add up to more than it; -1 beyond the last. */
export function placeOf(roll: number, odds: Odds<string>): number {
  let sum = 0;
  return odds.findIndex(({ weight }) => {
    sum += weight;
    return roll < sum;
  });
}

/** Where the wheel stops. `chest_type` is there where that is a chest, as in the server's own answer. */
export type Outcome<Spin extends string = string, Chest extends string = string> = {
  readonly segment: number;
  readonly type: Spin | undefined;
  readonly chest_type: Chest | undefined;
};

export function outcomeOf<Spin extends string, Chest extends string>(
  [wheel, chest]: Rolls,
  odds: Odds<Spin>,
  chestOdds: Odds<Chest>,
): Outcome<Spin, Chest> {
  const segment = placeOf(wheel, odds);
  const type = odds[segment]?.type;
  const chest_type = type === 'chest' ? chestOdds[placeOf(chest, chestOdds)]?.type : undefined;
  return { segment, type, chest_type };
}
