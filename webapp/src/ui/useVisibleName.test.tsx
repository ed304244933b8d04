import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PlayerName } from './PlayerName';

it.each([
  ['nothing', ''],
  ['a Hangul filler', '\u3164'],
  ['a braille blank', '\u2800'],
  ['a zero-width space', '\u200b'],
  ['a soft hyphen', '\u00ad'],
  ['jamo fillers', '\u115f\u1160\uffa0'],
  ['tag characters', '\u{e0041}\u{e007f}'],
  ['combining marks alone', '\u0301\u20dd'],
  ['several kinds', ' \u3164\u2060\ufe0f'],
])('a name of %s gets a substitute', (_, name) => {
  render(
    <PlayerName name={name} premium={false}>
      {null}
    </PlayerName>,
  );
  expect(screen.getByText('Player')).toBeDefined();
});

it.each(['Ann', '\u3164Ann', '👨\u200d👩\u200d👧', '.'])('a name as %s is shown as it is', (name) => {
  render(
    <PlayerName name={name} premium={false}>
      {null}
    </PlayerName>,
  );
  expect(document.querySelector('b')?.textContent).toBe(name);
});
