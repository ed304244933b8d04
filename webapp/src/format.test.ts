import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock, formatAmount, formatInteger, localDay, localTime, shortAddress, toMicro } from './format';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('amounts', () => {
  it('become whole millionths by their decimal text, not by float arithmetic', () => {
    expect(toMicro(0.001)).toBe(1000);
    expect(toMicro(1.005)).toBe(1_005_000);
    expect(toMicro(12480.253)).toBe(12_480_253_000);
    expect(toMicro(0.000001)).toBe(1);
    expect(toMicro(1e-7)).toBe(0);
    expect(toMicro(-0.1)).toBe(-100_000);
    expect(toMicro(30_000_000.123456)).toBe(30_000_000_123_456);
  });

  it('do not drift however many taps are added', () => {
    let sum = toMicro(0.1);
    for (let tap = 0; tap < 10_000; tap += 1) sum += toMicro(0.001);
    expect(formatAmount(sum, 3, 'en')).toBe('10.100');
  });

  it('are grouped and pointed as each language does', () => {
    expect(formatAmount(toMicro(12480.25), 2, 'en')).toBe('12,480.25');
    expect(formatAmount(toMicro(12480.25), 2, 'ru')).toMatch(/^12[\u00a0\u202f]480,25$/);
    expect(formatAmount(toMicro(1234567.5), 2, 'en')).toBe('1,234,567.50');
    expect(formatAmount(0, 2, 'en')).toBe('0.00');
    expect(formatAmount(toMicro(0.001), 3, 'en')).toBe('0.001');
    expect(formatAmount(toMicro(-999.5), 2, 'en')).toBe('−999.50');
  });

  it('are cut, so that no coin is shown that is not there', () => {
    expect(formatAmount(toMicro(0.999), 2, 'en')).toBe('0.99');
    expect(formatAmount(toMicro(12.3999999), 3, 'en')).toBe('12.400');
    expect(formatAmount(toMicro(12.399999), 3, 'en')).toBe('12.399');
  });
});

describe('other figures', () => {
  it('group whole numbers', () => {
    expect(formatInteger(999, 'en')).toBe('999');
    expect(formatInteger(1000, 'en')).toBe('1,000');
    expect(formatInteger(2000, 'ru')).toMatch(/^2[\u00a0\u202f]000$/);
  });

  it('shorten an address to 3+3', () => {
    expect(shortAddress('UQBabcdefghijk7xK')).toBe('UQB…7xK');
    expect(shortAddress('short')).toBe('short');
  });

  it('tell a moment by the clock of who reads it', () => {
    const moment = Date.parse('2026-03-03T21:30:00Z');
    vi.stubEnv('TZ', 'UTC');
    expect([localTime(moment, 'en'), localDay(moment, 'en')]).toEqual(['March 3 at 21:30', 'Mar 3']);
    vi.stubEnv('TZ', 'Asia/Tbilisi');
    expect([localTime(moment, 'en'), localDay(moment, 'en')]).toEqual(['March 4 at 01:30', 'Mar 4']);
    expect([localTime(moment, 'ru'), localDay(moment, 'ru')]).toEqual(['4 марта в 01:30', '4 мар.']);
  });

  it('count down in hours, minutes and seconds', () => {
    expect(clock(0)).toBe('00:00:00');
    expect(clock(-5)).toBe('00:00:00');
    expect(clock(18_429_000)).toBe('05:07:09');
    expect(clock(86_399_001)).toBe('24:00:00');
  });
});
