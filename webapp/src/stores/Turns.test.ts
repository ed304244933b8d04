import { expect, it } from 'vitest';
import { Turns } from './Turns';

it('drops an answer that was asked for before one that was taken', () => {
  const turns = new Turns();
  const first = turns.next();
  const second = turns.next();
  expect([turns.take(second), turns.take(first)]).toEqual([true, false]);
});

it('takes both of two answers that come in order', () => {
  const turns = new Turns();
  const first = turns.next();
  const second = turns.next();
  expect([turns.take(first), turns.take(second)]).toEqual([true, true]);
});

it('knows the last request, whose failure leaves nothing to wait for', () => {
  const turns = new Turns();
  const first = turns.next();
  const second = turns.next();
  expect([turns.isLast(first), turns.isLast(second)]).toEqual([false, true]);
});

it('drops what was asked for before something else told more, and says that it is on its way', () => {
  const turns = new Turns();
  expect(turns.overtake()).toBe(false);
  const turn = turns.next();
  expect(turns.overtake()).toBe(true);
  expect(turns.take(turn)).toBe(false);
  expect(turns.take(turns.next())).toBe(true);
});
