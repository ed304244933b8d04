import { beforeEach, expect, it } from 'vitest';
import type { Platform } from '../app/Platform';
import type { RootStore } from '../app/RootStore';
import { FakeServer } from '../testing/FakeServer';
import { createTestPlatform } from '../testing/platform';
import { SoundStore } from './SoundStore';
import { ToastStore } from './ToastStore';

beforeEach(() => {
  localStorage.clear();
});

/** The app as one visit has it. */
function aVisit() {
  const { platform, host } = createTestPlatform(new FakeServer());
  const toasts = new ToastStore(() => {});
  return { sounds: new SoundStore({ platform, toasts } as RootStore), toasts, host };
}

it('plays nothing until the player wants sounds, and then on each visit until they do not', async () => {
  const first = aVisit();
  await first.sounds.start();
  expect(first.sounds.on).toBe(false);
  expect(first.host.sounds).toEqual([]);
  await first.sounds.turn(true);
  expect(first.sounds.on).toBe(true);
  expect(first.host.sounds).toEqual([true]);

  const second = aVisit();
  await second.sounds.start();
  expect(second.sounds.on).toBe(true);
  expect(second.host.sounds).toEqual([true]);
  await second.sounds.turn(false);
  expect(second.host.sounds).toEqual([true, false]);

  const third = aVisit();
  await third.sounds.start();
  expect(third.sounds.on).toBe(false);
  expect(third.host.sounds).toEqual([]);
});

it('says so where the device plays none, and stays off', async () => {
  const { sounds, toasts, host } = aVisit();
  host.sounds = null;
  await sounds.turn(true);
  expect(sounds.on).toBe(false);
  expect(toasts.shown?.text).toBe('errors.sounds');
  const next = aVisit();
  await next.sounds.start();
  expect(next.sounds.on).toBe(false);
});

it('stays wanted where its code does not come at the start', async () => {
  await aVisit().sounds.turn(true);
  const { sounds, toasts, host } = aVisit();
  host.sounds = null;
  await sounds.start();
  expect(sounds.on).toBe(true);
  expect(toasts.shown).toBeNull();
});

it('does what was wanted last, though its code comes later', async () => {
  const { platform } = createTestPlatform(new FakeServer());
  const toasts = new ToastStore(() => {});
  let come = () => {};
  const playSounds: Platform['playSounds'] = async (on) => {
    if (on) await new Promise<void>((here) => (come = here));
  };
  const sounds = new SoundStore({ platform: { ...platform, playSounds }, toasts } as RootStore);
  const first = sounds.turn(true);
  await sounds.turn(false);
  come();
  await first;
  expect([sounds.on, platform.storage.get('sounds')]).toEqual([false, null]);
});
