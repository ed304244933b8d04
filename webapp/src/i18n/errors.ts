import { en } from './en';

/** A text of the `errors` section. Refusal codes of the server are keys there. */
export type ErrorKey = `errors.${keyof typeof en.errors}`;

/** What the server says, in English, of an error it has no words for. */
export const wordless: string = en.errors.internal;

/** The text of a refusal. A code this build does not know yet is an unknown error, and says so. */
export function errorKey(code: string): ErrorKey {
  return Object.hasOwn(en.errors, code) ? (`errors.${code}` as ErrorKey) : 'errors.internal';
}
