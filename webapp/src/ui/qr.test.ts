import { expect, it } from 'vitest';
import { qr } from './qr';

it('leaves a centred clearing under 8 % of the code, well inside what the correction repairs', () => {
  for (const url of [
    'https://t.me/b',
    'https://t.me/mcbk_bot/play?startapp=ABCDEFGH',
    `https://t.me/${'x'.repeat(120)}`,
  ]) {
    const { size, clearing, path } = qr(url);
    expect((size - clearing) % 2).toBe(0);
    expect(clearing ** 2 / size ** 2).toBeLessThan(0.08);
    const centre = Math.floor(size / 2);
    expect(path).not.toContain(`M${centre} ${centre}h1`);
    expect(path).toContain('M0 0h1v1h-1z');
  }
});
