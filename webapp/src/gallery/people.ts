import { ApiError } from '../api/error';
import { type Page, Pages } from '../stores/Pages';

export type Player = { rank: number; name: string; days: number; coins: number };

const english = [
  'Marina',
  'Johannes',
  'Léa',
  'Sofia',
  'Dmitry',
  'Tom',
  'Noah',
  'Maximiliana van der Woodsen',
];
const russian = [
  'Артём',
  'Анна',
  'Кирилл',
  'Ольга',
  'Пётр',
  'Зоя',
  'Фёдор',
  'Константин Константинопольский',
];

const keyOf = ({ rank }: Player) => rank;

export function playersOf(language: string) {
  const names = language === 'ru' ? russian : english;
  return (rank: number): Player => ({
    rank,
    name: names[rank % names.length] ?? '',
    days: 1 + ((rank * 37) % 90),
    coins: Math.floor(214_880_00 / rank ** 0.6) / 100,
  });
}

export type Behaviour = {
  total?: number;
  size?: number;
  /** Milliseconds a page takes. */
  delay?: number;
  /** Pages that are answered; the one after them is not, or with a failure. */
  answered?: number;
  after?: 'silence' | 'failure';
};

/** A list as the server would send it. Each page asked for leaves a mark in the page's timeline. */
export function somePages(player: (rank: number) => Player, behaviour: Behaviour = {}): Pages<Player> {
  const { total = 10_000, size = 100, delay = 0, answered = Number.POSITIVE_INFINITY, after } = behaviour;
  let pages = 0;
  const fetchPage = async (offset: number, limit: number): Promise<Page<Player>> => {
    performance.mark('page', { detail: offset });
    pages += 1;
    if (pages > answered && after === 'silence') return new Promise(() => {});
    await new Promise((done) => setTimeout(done, delay));
    if (pages > answered) throw ApiError.offline();
    const rows = Array.from({ length: Math.min(limit, total - offset) }, (_, n) => player(offset + n + 1));
    return { rows, hasMore: offset + limit < total };
  };
  return new Pages({ fetchPage, keyOf, size });
}
