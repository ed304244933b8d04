import { act, fireEvent, render, screen } from '@testing-library/react';
import axe from 'axe-core';
import { expect, vi } from 'vitest';
import { App } from '../app/App';
import { RootContext } from '../app/RootContext';
import type { RootStore } from '../app/RootStore';
import { speak } from '../i18n';
import { createGame, type Start } from './playGame';

/** Milliseconds go by, and the screen follows. */
export const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time));

export const renderGame = (root: RootStore) =>
  render(
    <RootContext value={root}>
      <App />
    </RootContext>,
  );

/** The game on the screen once it has greeted the player. */
export async function showGame({ platform, ...start }: Start = {}) {
  const game = createGame({ platform: { speak, ...platform }, ...start });
  renderGame(game.root);
  void game.root.boot.start();
  await pass(2500);
  return game;
}

/** Presses a button, and waits a moment. */
export async function press(name: string | RegExp, time = 50) {
  fireEvent.click(screen.getByRole('button', { name }));
  await pass(time);
}

export const closed = () => vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

/** What axe-core finds wrong with the screen; jsdom has no colours to compare. */
export async function faults() {
  vi.useRealTimers();
  const rules = { 'color-contrast': { enabled: false }, region: { enabled: false } };
  const { violations } = await axe.run(document.body, { rules });
  return violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)]);
}
