import coal from '../../art/ore-coal.svg';
import copper from '../../art/ore-copper.svg';
import diamond from '../../art/ore-diamond.svg';
import emerald from '../../art/ore-emerald.svg';
import gold from '../../art/ore-gold.svg';
import iron from '../../art/ore-iron.svg';
import platinum from '../../art/ore-platinum.svg';
import silver from '../../art/ore-silver.svg';
import stone from '../../art/ore-stone.svg';
import titanium from '../../art/ore-titanium.svg';

const rock = { art: stone, name: 'mines.stone' } as const;

/** Spec §3: the ten mines, from level 1. Prices and figures are the server's. */
const ores = [
  rock,
  { art: coal, name: 'mines.coal' },
  { art: iron, name: 'mines.iron' },
  { art: copper, name: 'mines.copper' },
  { art: silver, name: 'mines.silver' },
  { art: gold, name: 'mines.gold' },
  { art: platinum, name: 'mines.platinum' },
  { art: titanium, name: 'mines.titanium' },
  { art: emerald, name: 'mines.emerald' },
  { art: diamond, name: 'mines.diamond' },
] as const;

/** Picture and name of a mine. */
export const oreOf = (level: number) => ores[level - 1] ?? rock;
