import { beforeEach, expect, it, vi } from 'vitest';
import { TapEffects } from './TapEffects';

let stage: HTMLElement;

beforeEach(() => {
  vi.useFakeTimers();
  stage = document.createElement('div');
});

const open = () =>
  new TapEffects(stage, document.createElement('button'), {
    float: 'float',
    ripple: 'ripple',
    leap: 'leap',
  });
const floats = () => Array.from(stage.querySelectorAll('.float'), (float) => float.textContent);

it('ripples under a finger that counts for nothing, and no more than that', () => {
  open().ripple(10, 20);
  expect(stage.childElementCount).toBe(1);
  expect(stage.querySelector<HTMLElement>('.ripple')?.style.cssText).toContain('left: 10px; top: 20px');
  vi.advanceTimersByTime(800);
  expect(stage.childElementCount).toBe(0);
});

it('floats a value for 1.2 s, a ripple for 0.8 s, and has a piece leap for 0.7 s', () => {
  open().show(10, 20, '+0.001');
  expect(floats()).toEqual(['+0.001']);
  vi.advanceTimersByTime(699);
  expect(stage.querySelectorAll('.leap')).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(stage.querySelectorAll('.leap')).toHaveLength(0);
  vi.advanceTimersByTime(100);
  expect(stage.querySelectorAll('.ripple')).toHaveLength(0);
  vi.advanceTimersByTime(399);
  expect(floats()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(stage.childElementCount).toBe(0);
});

it('keeps at most 12 values alive, the newest ones', () => {
  const sparks = open();
  for (let n = 1; n <= 15; n += 1) sparks.show(0, 0, `+${n}`);
  expect(floats()).toHaveLength(12);
  expect(floats()[0]).toBe('+4');
  vi.advanceTimersByTime(1200);
  expect(stage.childElementCount).toBe(0);
});

it('sends values that follow each other different ways', () => {
  const sparks = open();
  for (let n = 0; n < 6; n += 1) sparks.show(0, 0, '+0.001');
  const ways = Array.from(stage.querySelectorAll<HTMLElement>('.float'), ({ style }) => style.cssText);
  expect(new Set(ways).size).toBe(6);
});
