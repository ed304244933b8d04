/** Each segment has a lit half and one in the shade. */
type Halves = { readonly lit: string; readonly shaded: string };

/** The colours of the drawing: of wood, and of gold while a golden spin can be had. */
export type Paints = {
  readonly edge: string;
  readonly rim: string;
  readonly rimLit: string;
  readonly lights: readonly [string, string];
  readonly border: string;
  readonly halo: string;
  readonly halves: Readonly<Record<Paint, Halves>>;
};

export type Paint = 'brick' | 'jade' | 'jadeDeep' | 'gold' | 'cream';

const brick = { lit: '#b8412a', shaded: '#a23621' };
const umber = { lit: '#5a3506', shaded: '#4c2c04' };

export const wood: Paints = {
  edge: '#2a170a',
  rim: '#4a2c14',
  rimLit: '#6a3f1b',
  lights: ['#8a5a22', '#ffdc7a'],
  border: '#17110c',
  halo: '#b87308',
  halves: {
    brick,
    jade: { lit: '#1b5b4b', shaded: '#174f41' },
    jadeDeep: { lit: '#164a3e', shaded: '#123f35' },
    gold: { lit: '#f0ae22', shaded: '#dd9c16' },
    cream: { lit: '#f4e2bf', shaded: '#e6cfa4' },
  },
};

export const goldenPaints: Paints = {
  edge: '#8a5206',
  rim: '#c98a15',
  rimLit: '#f7b928',
  lights: ['#fff6d6', '#fff6d6'],
  border: '#4a2b05',
  halo: '#9a5f07',
  halves: {
    brick,
    jade: umber,
    jadeDeep: umber,
    gold: { lit: '#f7b928', shaded: '#e7a51b' },
    cream: { lit: '#fff0c4', shaded: '#f0dca6' },
  },
};

/** The same on both. */
export const bed = '#120c07';
export const pointer = { edge: '#7a2413', lit: '#ff8a6c', shaded: '#d9553a', pin: '#fff3df' };
export const figures = { onGold: '#2a1703', onJade: '#b9ffe6', again: '#b8412a' };
