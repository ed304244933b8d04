import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clampAmount,
  inTon,
  maxAmount,
  oneTon,
  readTon,
  stepAmount,
  validateField,
  validateOrder,
  writeTon,
} from './amount';

describe('an amount that is written', () => {
  it.each([
    ['1', oneTon],
    ['1.5', 1_500_000_000n],
    ['1,5', 1_500_000_000n],
    [' 0.1 ', 100_000_000n],
    ['0.000000001', 1n],
    ['.5', 500_000_000n],
    ['5.', 5n * oneTon],
    ['007', 7n * oneTon],
    ['1000.000000001', 1_000_000_000_001n],
  ])('%s is read to the nanoton', (text, nanotons) => {
    expect(readTon(text)).toBe(nanotons);
  });

  it.each(['', '.', ',', '-1', '+1', '1e3', '1.2.3', '1,2.3', '1 000', 'NaN', '0x10', '1.0000000001', '٣'])(
    '"%s" is no amount',
    (text) => {
      expect(readTon(text)).toBeNull();
    },
  );

  it('is shown with a decimal at least, and in the language’s way', () => {
    expect([writeTon(5n * oneTon, 'en'), writeTon(1_250_000_000n, 'ru'), writeTon(1n, 'en')]).toEqual([
      '5.0',
      '1,25',
      '0.000000001',
    ]);
  });

  it('survives being shown, read and sent, whatever it is', () => {
    const amounts = fc.bigInt(100_000_000n, 10n ** 12n + 100_000_000n);
    fc.assert(
      fc.property(amounts, fc.constantFrom('en', 'ru'), (amount, language) => {
        expect(readTon(writeTon(amount, language))).toBe(amount);
        // What JSON carries is the same decimal, digit for digit.
        expect(readTon(JSON.stringify(inTon(amount)))).toBe(amount);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('spec §5', () => {
  it('sells from 0.1 to 1000 TON, and says which end was missed', () => {
    expect(validateOrder(null)).toBe('errors.invalid_amount');
    expect(validateOrder(99_999_999n)).toBe('errors.amount_too_small');
    expect(validateOrder(100_000_000n)).toBeNull();
    expect(validateOrder(1000n * oneTon)).toBeNull();
    expect(validateOrder(1000n * oneTon + 1n)).toBe('errors.amount_too_large');
  });

  it('the field sells from 1 TON', () => {
    expect(validateField(oneTon - 1n)).toBe('market.least');
    expect([0n, 99_999_999n].map(validateField)).toEqual(['market.least', 'market.least']);
    expect(validateField(oneTon)).toBeNull();
  });

  it('what is no amount or too little becomes 1, what is too much 1000', () => {
    expect([null, 0n, oneTon - 1n].map(clampAmount)).toEqual([oneTon, oneTon, oneTon]);
    expect(clampAmount(1001n * oneTon)).toBe(1000n * oneTon);
    expect(clampAmount(1_234_567_890n)).toBe(1_234_567_890n);
  });

  it('the buttons go by tenths and stay inside', () => {
    expect(stepAmount(oneTon, true)).toBe(1_100_000_000n);
    expect(stepAmount(oneTon, false)).toBe(oneTon);
    expect(stepAmount(1000n * oneTon, true)).toBe(1000n * oneTon);
    expect(stepAmount(null, true)).toBe(oneTon);
  });

  it('Max is the balance in steps without what sending costs, at most 1000; without a balance 1000', () => {
    expect(maxAmount(null)).toBe(1000n * oneTon);
    expect(maxAmount(5_000n * oneTon)).toBe(1000n * oneTon);
    expect(maxAmount(3_250_000_000n)).toBe(3_100_000_000n);
    expect(maxAmount(1_991_377_996n)).toBe(1_800_000_000n);
    expect(maxAmount(0n)).toBe(oneTon);
  });
});
