import type { Phone } from './phone';
import { prizes, wheelBrings } from './stage';
import { expect, test } from './test';

/** What the game has let its speaker play: tones by their pitch in hertz, noises as 0. */
type Played = { contexts: AudioContext[]; struck: number[] };

declare global {
  interface Window {
    __played: Played;
  }
}

/** In a page: notes what is played, and plays it. */
function listen(): void {
  const played: Played = { contexts: [], struck: [] };
  window.__played = played;
  window.AudioContext = class extends AudioContext {
    constructor(options?: AudioContextOptions) {
      super(options);
      played.contexts.push(this);
    }
  };
  const { start: ring } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (when) {
    played.struck.push(Math.round(this.frequency.value));
    ring.call(this, when);
  };
  const { start: knock } = AudioBufferSourceNode.prototype;
  AudioBufferSourceNode.prototype.start = function (when) {
    played.struck.push(0);
    knock.call(this, when);
  };
}

/** Makes the device's first sound, unheard and unnoted: on a busy machine it may start later than a sample may come. */
async function warmUp(phone: Phone): Promise<void> {
  const frame = await phone.frame();
  await frame.evaluate(async () => {
    const Unnoted: typeof AudioContext = Object.getPrototypeOf(AudioContext);
    const device = new Unnoted();
    await device.resume();
    await device.close();
  });
}

/** Everything played since the game opened. */
async function played(phone: Phone): Promise<{ states: string[]; struck: number[] }> {
  const frame = await phone.frame();
  return frame.evaluate(() => {
    const { contexts, struck } = window.__played;
    return { states: contexts.map(({ state }) => state), struck };
  });
}

/** What a moment of the game adds to it. */
async function during(phone: Phone, moment: () => Promise<unknown>): Promise<number[]> {
  const { length } = (await played(phone)).struck;
  await moment();
  return (await played(phone)).struck.slice(length);
}

/** Coins have their pitches around 2,350 Hz, and each an overtone half as high again. */
const clinks = (struck: number[]) => struck.filter((hertz) => hertz > 2200 && hertz < 2500).length;
const wood = 210;
const bell = 147;

async function turnSounds(phone: Phone, on: boolean): Promise<void> {
  const { home, profile, screens } = phone.words;
  await phone.app.getByRole('button', { name: home.profile }).tap();
  const wanted = phone.modal(screens.profile).getByRole('checkbox', { name: profile.sounds });
  await expect(wanted).toBeChecked({ checked: !on });
  await phone.modal(screens.profile).getByText(profile.sounds, { exact: true }).tap();
  await expect(wanted).toBeChecked({ checked: on });
  await phone.corner.tap();
  await expect(phone.modal(screens.profile)).toHaveCount(0);
}

test('sounds are heard by who wants them, on each visit, until they do not', async ({
  sandbox,
  phone,
  phoneOf,
  page,
}) => {
  await page.addInitScript(listen);
  await phone.openGame();
  await phone.openTap();
  await phone.tap(2);
  expect(await played(phone)).toEqual({ states: [], struck: [] });
  await phone.leaveTap();
  await expect(phone.saving).toHaveCount(0);

  await warmUp(phone);
  await turnSounds(phone, true);
  await expect.poll(async () => clinks((await played(phone)).struck)).toBe(1);
  expect((await played(phone)).states).toEqual(['running']);
  expect(await during(phone, () => phone.toTap.tap())).toContain(wood);
  await expect(phone.bag).toBeVisible();
  expect(clinks(await during(phone, () => phone.tap(3)))).toBe(3);

  // On the next visit the page may sound once it was touched.
  await phone.openGame();
  const { wheel } = phone.words;
  await wheelBrings(page, await sandbox.game(phone.player), prizes.golden);
  await phone.dock.getByRole('link', { name: phone.words.nav.wheel }).tap();
  await expect.poll(async () => (await played(phone)).states).toEqual(['running']);
  const turned = await during(phone, async () => {
    await phone.app.getByRole('button', { name: new RegExp(`^${wheel.free}`) }).tap();
    await expect(phone.app.getByRole('dialog')).toBeVisible();
    await expect.poll(async () => clinks((await played(phone)).struck)).toBe(8);
  });
  expect(turned).toContain(wood);
  expect(turned).toContain(bell);
  expect(turned.slice(0, turned.indexOf(bell)).filter((hertz) => hertz === 0).length).toBeGreaterThan(10);
  expect((await played(phone)).states).toEqual(['running']);

  // The device plays them, whoever holds it.
  const other = phoneOf(await sandbox.regular());
  await other.openGame();
  await turnSounds(other, false);
  expect(await during(other, () => other.toTap.tap())).toEqual([]);
  await other.openGame();
  await other.openTap();
  await other.tap(1);
  expect(await played(other)).toEqual({ states: [], struck: [] });
});
