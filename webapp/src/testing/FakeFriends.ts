import type { Referral, Referrals } from '../api/types';

export function aFriend(change: Partial<Referral> = {}): Referral {
  return {
    name: 'Léa',
    nickname: 'leamoon',
    avatar: '',
    status: 'pending',
    reward: 0,
    days: 11,
    days_required: 14,
    ...change,
  };
}

/** Whom the player has invited, newest first, as the server tells page by page. */
export class FakeFriends {
  all: Referral[] = [];

  page({ searchParams }: URL): Referrals {
    const status = searchParams.get('status') ?? 'all';
    const offset = Number(searchParams.get('offset'));
    const limit = Number(searchParams.get('limit'));
    const asked = this.all.filter((friend) => status === 'all' || friend.status === status);
    return {
      referrals: asked.slice(offset, offset + limit),
      total_referrals: asked.length,
      hasMore: asked.length > offset + limit,
    };
  }
}

/** Friends in every state, the first with a name of this sort. */
export function someFriends(name = 'Кирилл'): Referral[] {
  return [
    aFriend({ name, nickname: 'kir_dig', status: 'completed', reward: 50, days: 14 }),
    aFriend(),
    aFriend({ name: 'Dmitry', nickname: 'dm_ton', days: 6 }),
    aFriend({ name: 'Анна', nickname: 'annagold', days: 14 }),
    aFriend({ name: 'Tom', nickname: '', days: 0 }),
    aFriend({ name: 'Sofia', nickname: 'sofi', status: 'completed', reward: 50, days: 14 }),
  ];
}
