import { first } from './en.first';
import { later } from './en.later';

/** Every English text. Its shape is the contract: ru.ts does not compile while a key is missing. */
export const en = { ...first, ...later } as const;

/** What another language must hold: the same keys, and the further plural forms where English has one and other. */
type Translated<T> = {
  readonly [K in keyof T]: T[K] extends string ? string : Translated<T[K]>;
} & {
  readonly [K in keyof T as K extends `${infer Word}_other` ? `${Word}_few` | `${Word}_many` : never]: string;
};

export type Texts = Translated<typeof en>;
