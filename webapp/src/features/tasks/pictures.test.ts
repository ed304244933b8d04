import { describe, expect, it } from 'vitest';
import { aTask } from '../../testing/FakeTasks';
import { picture } from './pictures';

describe('the picture of a task', () => {
  it('is one of six that take turns', () => {
    const six = Array.from({ length: 12 }, (_, place) => picture(aTask(), place));
    expect(new Set(six).size).toBe(6);
    expect(six.slice(6)).toEqual(six.slice(0, 6));
  });

  it('is the one the server names, from wherever it comes', () => {
    const own = picture(aTask({ image: 'megaphone' }), 0);
    expect(own).not.toBe(picture(aTask(), 0));
    expect(picture(aTask({ image: 'nonsense' }), 0)).toBe(picture(aTask(), 0));
    expect(picture(aTask({ image_url: 'https://a.example/b.png' }), 0)).toBe('https://a.example/b.png');
    expect(picture(aTask({ image_url: 'javascript:alert(1)' }), 0)).toBe(picture(aTask(), 0));
  });
});
