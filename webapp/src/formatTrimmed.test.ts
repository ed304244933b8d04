import { describe, expect, it } from 'vitest';
import { decimalsOf, formatTrimmed } from './formatTrimmed';

describe('an amount in words', () => {
  it('keeps all its decimals, up to nine', () => {
    expect([5, 1.5, 0.123456789, 0.000000001].map(decimalsOf)).toEqual([0, 1, 9, 9]);
  });

  it('has its sign, the groups and the point of the language, and no idle nought', () => {
    expect([1250.5, 5, -0.25].map((value) => formatTrimmed(value, 'en'))).toEqual(['1,250.5', '5', '−0.25']);
    expect(formatTrimmed(1250.5, 'ru')).toBe('1\u00a0250,5');
  });
});
