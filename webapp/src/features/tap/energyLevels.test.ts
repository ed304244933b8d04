import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { levels } from './energyLevels';

it('the levels shown are those the server climbs', () => {
  // From webapp/, where the tests are started.
  const source = readFileSync('../game/energy.go', 'utf8');
  const [, table = ''] = /EnergyLevels = \[\.\.\.\]EnergyLevel\{(.*?)\n\}/s.exec(source) ?? [];
  const rows = table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [level, energy, spins] = (line.match(/\d+/g) ?? []).map(Number);
      return { level, energy, spins };
    });
  expect(rows.length).toBeGreaterThan(0);
  expect(levels).toEqual(rows);
});
