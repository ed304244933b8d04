import type { en } from './en';

type Said = { [Name in keyof typeof en.errors as `errors.${Name}`]: (typeof en.errors)[Name] } & {
  [Name in keyof typeof en.toast as `toast.${Name}`]: (typeof en.toast)[Name];
} & {
  'referral.no_link': typeof en.referral.no_link;
};

/** The key of a toast's text. */
export type ToastText = keyof Said;

/** Success toasts that stay as long as errors: they say what to do next (spec §8). */
export const longToasts: ReadonlySet<ToastText> = new Set(['toast.link_created', 'toast.card_sent']);

type Blank<Words> = Words extends `${string}{{${infer Name}}}${infer Rest}` ? Name | Blank<Rest> : never;

/** Whatever fills the blanks of these texts. */
export type ToastValues = Readonly<Record<Blank<Said[ToastText]>, string>>;

/** What follows a text where it is said: nothing, or what fills its blanks. */
export type Values<Text extends ToastText> = [Blank<Said[Text]>] extends [never]
  ? []
  : [values: Pick<ToastValues, Blank<Said[Text]>>];
