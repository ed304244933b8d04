import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { SheetHandle } from './SheetHandle';

/** jsdom knows no pointers; a mouse event of the same name is what React makes of one. */
function finger(type: string, clientY: number, buttons = 1) {
  fireEvent(screen.getByRole('button'), new MouseEvent(type, { bubbles: true, clientY, buttons }));
}

it('opens when it is pulled up, once', () => {
  const open = vi.fn();
  render(<SheetHandle title="Daily Tasks" onOpen={open} />);
  finger('pointerdown', 700);
  finger('pointermove', 690);
  expect(open).not.toHaveBeenCalled();
  finger('pointermove', 680);
  finger('pointermove', 600);
  expect(open).toHaveBeenCalledTimes(1);
});

it('stays where it is while a finger only passes over it', () => {
  const open = vi.fn();
  render(<SheetHandle title="Daily Tasks" onOpen={open} />);
  finger('pointermove', 700);
  finger('pointermove', 600);
  finger('pointerdown', 700);
  finger('pointerup', 700);
  finger('pointermove', 600);
  finger('pointerdown', 700);
  finger('pointermove', 600, 0);
  expect(open).not.toHaveBeenCalled();
});
