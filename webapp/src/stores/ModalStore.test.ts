import { expect, it } from 'vitest';
import { ModalStore } from './ModalStore';

it('shows one modal at a time, the age gate first and the discount last', () => {
  const modals = new ModalStore();
  modals.enqueue({ is: 'discount' });
  expect(modals.shown?.is).toBe('discount');
  modals.enqueue({ is: 'loyalty' });
  modals.enqueue({ is: 'age' });
  modals.enqueue({ is: 'daily' });
  modals.enqueue({ is: 'daily' });
  const seen: string[] = [];
  while (modals.shown) {
    seen.push(modals.shown.is);
    modals.close(modals.shown.is);
  }
  expect(seen).toEqual(['age', 'daily', 'loyalty', 'discount']);
});

it('closes one that waits without showing it', () => {
  const modals = new ModalStore();
  modals.enqueue({ is: 'age' });
  modals.enqueue({ is: 'daily' });
  modals.close('daily');
  modals.close('age');
  expect(modals.shown).toBeNull();
});

it('takes away what lies on top, but not the age gate', () => {
  const modals = new ModalStore();
  expect(modals.closable).toBe(false);
  modals.openSheet('levels');
  modals.enqueue({ is: 'discount' });
  modals.enqueue({ is: 'age' });
  expect(modals.closable).toBe(false);
  modals.closeTop();
  expect(modals.shown?.is).toBe('age');
  modals.close('age');
  modals.closeTop();
  expect([modals.shown, modals.sheet]).toEqual([null, 'levels']);
  modals.closeTop();
  expect(modals.closable).toBe(false);
});
