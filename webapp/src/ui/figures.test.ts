import { describe, expect, it } from 'vitest';
import { splitNumber } from './figures';

const shown = (...args: Parameters<typeof splitNumber>) => {
  const { sign, integer, decimals } = splitNumber(...args);
  return [sign + integer, decimals];
};

describe('a figure', () => {
  it('is a grouped whole part and its decimals apart', () => {
    expect(shown(12480.253, 3)).toEqual(['12,480', '.253']);
    expect(shown(0.001, 3)).toEqual(['0', '.001']);
    expect(shown(30_000_000, 0)).toEqual(['30,000,000', '']);
  });

  it('is cut, never rounded up: nobody is shown a coin they do not have', () => {
    expect(shown(12480.259, 2)).toEqual(['12,480', '.25']);
    expect(shown(0.999999, 2)).toEqual(['0', '.99']);
    expect(shown(0.29, 2)).toEqual(['0', '.29']);
  });

  it('keeps its decimals, so that columns line up, unless asked to trim', () => {
    expect(shown(5, 2)).toEqual(['5', '.00']);
    expect(shown(5, 2, 'en', true)).toEqual(['5', '']);
    expect(shown(1.5, 2, 'en', true)).toEqual(['1', '.50']);
  });

  it('speaks the language of the player', () => {
    expect(shown(12480.25, 2, 'ru')).toEqual(['12\u00a0480', ',25']);
    expect(shown(12480.25, 2, 'ru-RU')).toEqual(['12\u00a0480', ',25']);
    expect(shown(12480.25, 2, 'de')).toEqual(['12,480', '.25']);
  });

  it('has a real minus, and none for nothing', () => {
    expect(shown(-2.5, 2)).toEqual(['−2', '.50']);
    expect(shown(-0.001, 2)).toEqual(['0', '.00']);
  });

  it('is never written in powers of ten', () => {
    expect(shown(1e-7, 9)).toEqual(['0', '.000000100']);
    expect(shown(Number.NaN, 2)).toEqual(['0', '.00']);
  });
});
