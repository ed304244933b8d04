import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { HeroAmount } from './HeroAmount';

it.each([
  [0.019, 0.02, ['20']],
  [0.001, 0.002, ['2']],
  [9.999, 10, ['10', '.000']],
  [19.999, 20, ['20', '.000']],
  [1.5, 1.5, []],
])('from %d to %d has the digits jump that are new', (from, to, jumping) => {
  const { container, rerender } = render(<HeroAmount value={from} decimals={3} lively />);
  rerender(<HeroAmount value={to} decimals={3} lively />);
  const figure = container.querySelector('[aria-hidden]');
  expect(figure?.textContent).toBe(to.toFixed(3));
  expect(Array.from(figure?.querySelectorAll('[class*="jump"]') ?? [], (one) => one.textContent)).toEqual(
    jumping,
  );
});
