import { en } from './en';

/** A text of the `errors` section. Refusal codes of the server are keys there. */
export type ErrorKey = `errors.${keyof typeof en.errors}`;

/** The server's English message for an unknown error. */
export const internalErrorText: string = en.errors.internal;

/** The text of an error code; unknown codes have the text of an internal error. */
export function errorKey(code: string): ErrorKey {
  return Object.hasOwn(en.errors, code) ? (`errors.${code}` as ErrorKey) : 'errors.internal';
}
