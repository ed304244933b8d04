export type * from './schema.gen';
export type {
  CircleAdsStatus as CircleAds,
  MinesLeaderboardItem as Miner,
  MineUnlockRequest as MineUnlock,
  PurchaseAnswer as Purchased,
  PurchaseRequest as Purchase,
  ReferralList as Referrals,
  SpinClaimAnswer as SpinClaimed,
  StarsRequest as StarsPurchase,
  TaskClaimAnswer as TaskClaimed,
  TaskList as TaskLists,
} from './schema.gen';

/** openapi-fetch spells readonly lists out as objects with an index and a length; this makes them lists again. */
export type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends { readonly [n: number]: infer Item; readonly length: number }
    ? readonly Plain<Item>[]
    : { readonly [Key in keyof T]: Plain<T[Key]> };
