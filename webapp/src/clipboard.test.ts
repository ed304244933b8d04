import { afterEach, expect, it, vi } from 'vitest';
import { copy } from './clipboard';

afterEach(() => vi.unstubAllGlobals());

/** jsdom knows neither way of copying. */
function device(writeText: (text: string) => Promise<void>, execCommand: () => boolean) {
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  document.execCommand = execCommand;
}

const refused = () => Promise.reject(new Error('not in a frame'));

it('copies by the browser’s own way', async () => {
  const copied: string[] = [];
  device(
    async (text) => void copied.push(text),
    () => {
      throw new Error('not needed');
    },
  );
  expect(await copy('630dcd')).toBe(true);
  expect(copied).toEqual(['630dcd']);
});

it('marks the text and copies that where it may not, and leaves nothing behind', async () => {
  const button = document.body.appendChild(document.createElement('button'));
  button.focus();
  let marked = '';
  device(refused, () => {
    const area = document.activeElement as HTMLTextAreaElement;
    marked = area.value.slice(area.selectionStart, area.selectionEnd);
    return true;
  });
  expect(await copy('630dcd')).toBe(true);
  expect(marked).toBe('630dcd');
  expect(document.querySelector('textarea')).toBeNull();
  expect(document.activeElement).toBe(button);
});

it('tells when the device does not let us', async () => {
  device(refused, () => false);
  expect(await copy('630dcd')).toBe(false);
  device(refused, () => {
    throw new Error('never heard of it');
  });
  expect(await copy('630dcd')).toBe(false);
  vi.stubGlobal('navigator', {});
  expect(await copy('630dcd')).toBe(false);
});
