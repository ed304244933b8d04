import type { AdRequest, AdsConfig, DailyReward } from '../api/types';
import type { FakePlayer } from './FakePlayer';
import type { FakeWheel, Pay } from './FakeWheel';
import type { Refusal } from './refusal';

type Ticket = AdRequest & {
  player: FakePlayer;
  /** The check-in that it would double. */
  reward: DailyReward | null;
  confirmed: boolean;
  loaded: boolean;
};

/** The rewarded ads of the fake server: tickets, the network's callback, and what a confirmed ad pays. */
export class FakeAds {
  config: AdsConfig = { enabled: true, script_url: 'https://ads.test/sdk.js', block_id: 'unit', mode: 's2s' };
  readonly tickets = new Map<string, Ticket>();
  /** Check-ins that an ad has doubled. */
  private readonly doubled = new Set<DailyReward>();

  constructor(
    private readonly wheel: FakeWheel,
    private readonly advice: { readonly reward_points: number },
    private readonly pay: Pay,
  ) {}

  answer(call: string, body: unknown, player: FakePlayer): unknown {
    switch (call) {
      case 'POST /roulette/ad':
        this.tellSpin(player);
        return { bonus_points: 10, ...this.wheel.figures(player) };
      case 'POST /ads/start':
        return this.start(body as AdRequest, player);
      case 'POST /ads/complete': {
        const ticket = this.tickets.get((body as { ticket: string }).ticket);
        if (!ticket) throw { status: 404, code: 'not_found' } satisfies Refusal;
        if (this.config.mode === 'client') this.confirm(player);
        return { confirmed: ticket.confirmed };
      }
      default:
        return undefined;
    }
  }

  /** The ad network's callback: the player's oldest ticket is settled, and what it is for is paid. */
  confirm(player: FakePlayer): void {
    const ticket = [...this.tickets.values()].find((open) => open.player === player && !open.confirmed);
    if (!ticket) return;
    ticket.confirmed = true;
    const { user } = player;
    const { reward } = ticket;
    if (ticket.purpose === 'daily' && reward && !this.doubled.has(reward)) {
      this.doubled.add(reward);
      const todays = user.daily_reward === reward;
      this.pay(player, reward.bonusCoin, reward.bonusPoints, todays ? { daily_reward: null } : {});
    }
    if (ticket.purpose === 'prediction' && user.can_get_prediction) {
      this.pay(player, 0, 2 * this.advice.reward_points, { can_get_prediction: false });
    }
    this.wheel.confirmAd(ticket, player);
  }

  /** Refuses where no ad of this purpose was confirmed. */
  confirmed(player: FakePlayer, purpose: AdRequest['purpose']): void {
    const settled = [...this.tickets.values()].some(
      (ticket) => ticket.player === player && ticket.purpose === purpose && ticket.confirmed,
    );
    if (!settled) throw { status: 409, code: 'ad_not_confirmed' } satisfies Refusal;
  }

  private start(request: AdRequest, player: FakePlayer): unknown {
    const { daily_reward: reward, can_get_prediction: advice } = player.user;
    if (request.purpose === 'daily' && !reward) throw { status: 409, code: 'not_eligible' } satisfies Refusal;
    if (request.purpose === 'prediction' && !advice)
      throw { status: 409, code: 'already_claimed' } satisfies Refusal;
    const ticket = `ticket-${this.tickets.size + 1}`;
    this.tickets.set(ticket, { ...request, player, reward, confirmed: false, loaded: false });
    return { ticket, block_id: 'unit', expires_at: '2026-03-01T13:00:00Z' };
  }

  /** Each ad for a spin is told by one call, the oldest first. */
  private tellSpin(player: FakePlayer): void {
    const unnotified = [...this.tickets.values()].find(
      (ticket) => ticket.player === player && ticket.purpose === 'spin' && ticket.confirmed && !ticket.loaded,
    );
    const { ad_spins, daily_spins } = player.user.balance;
    if (unnotified) unnotified.loaded = true;
    else if (ad_spins < 1) throw { status: 409, code: 'ad_spins_exhausted' } satisfies Refusal;
    else if (daily_spins >= 20) throw { status: 409, code: 'spin_limit_reached' } satisfies Refusal;
    else throw { status: 409, code: 'ad_not_confirmed' } satisfies Refusal;
  }
}
