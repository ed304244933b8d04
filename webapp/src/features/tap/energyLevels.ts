/** Spec §3: the energy levels, and how many spins in total each takes. The server has its own in game/energy.go. */
export const levels = [
  { level: 1, energy: 1000, spins: 0 },
  { level: 2, energy: 2000, spins: 320 },
  { level: 3, energy: 3000, spins: 640 },
  { level: 4, energy: 4000, spins: 960 },
  { level: 5, energy: 5000, spins: 1600 },
] as const;
