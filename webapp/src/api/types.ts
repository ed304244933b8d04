import type { paths } from './schema.gen';

/** openapi-fetch spells readonly lists out as objects with an index and a length; this makes them lists again. */
export type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends { readonly [n: number]: infer Item; readonly length: number }
    ? readonly Plain<Item>[]
    : { readonly [Key in keyof T]: Plain<T[Key]> };

type Answer<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

type Request<Operation> = Operation extends { requestBody: { content: { 'application/json': infer Body } } }
  ? Body
  : never;

export type Config = Answer<paths['/config']['get']>;
export type User = Answer<paths['/user/me']['get']>;
export type UserChange = Request<paths['/user/update']['put']>;
export type AdsConfig = Config['ads'];
export type DailyReward = NonNullable<User['daily_reward']>;
export type Prediction = Answer<paths['/prediction']['get']>;
export type AdRequest = Request<paths['/ads/start']['post']>;
export type AdTicket = Answer<paths['/ads/start']['post']>;
export type Recap = Answer<paths['/user/recap']['get']>;
export type CardSubject = Request<paths['/user/card']['post']>['of'];
export type Settings = Answer<paths['/settings']['get']>;
export type EnergyInfo = Answer<paths['/tap/energy-status']['get']>;
export type TaskLists = Plain<Answer<paths['/tasks']['get']>>;
export type Task = TaskLists['tasks'][number];
export type TaskClaim = Request<paths['/tasks/claim']['post']>;
export type TaskClaimed = Answer<paths['/tasks/claim']['post']>;
export type LinkVisit = Request<paths['/tasks/track-link']['post']>;
export type SubscriptionCheck = Request<paths['/tasks/check-telegram']['post']>;
export type Fairness = Plain<Answer<paths['/roulette/fairness']['get']>>;
export type RetiredSeed = Fairness['retired'][number];
export type PastSpin = RetiredSeed['spins'][number];
export type Referrals = Plain<Answer<paths['/referral']['get']>>;
export type Referral = Referrals['referrals'][number];
export type LeaderboardType = NonNullable<
  NonNullable<paths['/leaderboard']['get']['parameters']['query']>['type']
>;
export type Leaderboard = Plain<Answer<paths['/leaderboard']['get']>>;
export type LeaderboardItem = Leaderboard['me'];
export type CircleAds = Answer<paths['/circle-ads/status']['get']>;
export type TonPrice = Answer<paths['/token/ton-price']['get']>;
export type PriceInfo = Answer<paths['/token/price-info']['get']>;
export type Purchase = Request<paths['/token/purchase']['post']>;
export type Purchased = Answer<paths['/token/purchase']['post']>;
export type StarsPurchase = Request<paths['/token/stars']['post']>;
export type Order = Plain<Answer<paths['/orders']['get']>>['orders'][number];
export type Currency = Order['currency'];
export type WalletChange = Request<paths['/user/wallet']['put']>;
export type WalletState = Answer<paths['/user/wallet']['get']>;
export type ProofPayload = Answer<paths['/ton/proof-payload']['post']>;
export type TransactionFilter = NonNullable<
  NonNullable<paths['/user/transactions']['get']['parameters']['query']>['type']
>;
export type Transaction = Plain<Answer<paths['/user/transactions']['get']>>['transactions'][number];
export type TapBatch = Request<paths['/tap/perform-batch-tap']['post']>;
export type TapAnswer = Answer<paths['/tap/perform-batch-tap']['post']>;
export type RouletteStatus = Answer<paths['/roulette/status']['get']>;
export type SpinAnswer = Answer<paths['/roulette/spin']['post']>;
export type SpinReward = SpinAnswer['reward'];
export type ChestClaim = Request<paths['/roulette/claim-chest-reward']['post']>;
export type SpinClaimed = Answer<paths['/roulette/claim-reward']['post']>;
export type SpinRequest = Request<paths['/roulette/spin']['post']>;
export type SpinClaim = Request<paths['/roulette/claim-reward']['post']>;
export type MinesStatus = Plain<Answer<paths['/mines/status']['get']>>;
export type MineLevel = MinesStatus['available_levels'][number];
export type MineResult = NonNullable<MinesStatus['tournament']['result']>;
export type MineUnlock = Request<paths['/mines/unlock']['post']>;
export type MinesLeaderboard = Plain<Answer<paths['/mines/leaderboard']['get']>>;
export type Miner = MinesLeaderboard['me'];
export type MineBatch = Request<paths['/mines/mine']['post']>;
export type MineAnswer = Answer<paths['/mines/mine']['post']>;
