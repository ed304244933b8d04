import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { easing } from './ticks';

it('the ticks go by the easing of the look', () => {
  // From webapp/, where the tests are started.
  const tokens = readFileSync('src/styles/tokens.css', 'utf8');
  expect(tokens).toContain(`--e-wheel: ${easing};`);
});
