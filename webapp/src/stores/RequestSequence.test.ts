import { expect, it } from 'vitest';
import { RequestSequence } from './RequestSequence';

it('drops an answer that was asked for before one that was taken', () => {
  const requests = new RequestSequence();
  const first = requests.next();
  const second = requests.next();
  expect([requests.accept(second), requests.accept(first)]).toEqual([true, false]);
});

it('takes both of two answers that come in order', () => {
  const requests = new RequestSequence();
  const first = requests.next();
  const second = requests.next();
  expect([requests.accept(first), requests.accept(second)]).toEqual([true, true]);
});

it('knows the last request, whose failure leaves nothing to wait for', () => {
  const requests = new RequestSequence();
  const first = requests.next();
  const second = requests.next();
  expect([requests.isLast(first), requests.isLast(second)]).toEqual([false, true]);
});

it('drops what was asked for before something else told more, and says that it is on its way', () => {
  const requests = new RequestSequence();
  expect(requests.supersede()).toBe(false);
  const turn = requests.next();
  expect(requests.supersede()).toBe(true);
  expect(requests.accept(turn)).toBe(false);
  expect(requests.accept(requests.next())).toBe(true);
});
