import type { Phone } from './phone';
import { alone, expect, long, test } from './test';

declare global {
  interface Window {
    __animated: Record<string, string[]>;
  }
}

/** Notes, frame by frame, which properties of which element were animated, and for how many milliseconds. */
function watchMotion(): void {
  const animated: Record<string, string[]> = {};
  window.__animated = animated;
  requestAnimationFrame(function look() {
    for (const { effect } of document.getAnimations()) {
      if (!(effect instanceof KeyframeEffect) || !effect.target) continue;
      // CSS modules write _name_hash_line; the first name says what it is.
      const name = /_(\w+?)_/.exec(effect.target.className)?.[1] ?? effect.target.tagName;
      const { duration } = effect.getComputedTiming();
      for (const keyframe of effect.getKeyframes()) {
        for (const property of Object.keys(keyframe)) {
          if (/^(offset|computedOffset|easing|composite)$/.test(property)) continue;
          const noted = animated[name] ?? [];
          animated[name] = noted;
          const said = `${property} ${duration}`;
          if (!noted.includes(said)) noted.push(said);
        }
      }
    }
    requestAnimationFrame(look);
  });
}

/** Through the loading screen, the age gate, a drawer and some taps; the answer is all that was animated on the way. */
async function see(phone: Phone): Promise<Record<string, string[]>> {
  const { app, words, page } = phone;
  await page.addInitScript(watchMotion);
  await phone.openGame();
  const gate = app.getByRole('dialog', { name: words.age.title });
  await gate.getByRole('checkbox').check();
  await gate.getByRole('button', { name: words.age.accept }).tap();
  await expect(gate).toHaveCount(0);
  await app.getByRole('button', { name: words.home.tasks }).tap();
  const drawer = app.getByRole('dialog', { name: words.home.tasks });
  await expect(drawer.getByText('0/10')).toBeVisible();
  await phone.closeDialog();
  await phone.openTap();
  await phone.tap(3);
  await expect(phone.floats).toHaveCount(0);
  const frame = await phone.frame();
  return frame.evaluate(() => window.__animated);
}

/** What moves, rather than fades. A spinner turns for everybody: it is all that says something is under way. */
function moving(animated: Record<string, string[]>): string[] {
  return Object.entries(animated)
    .filter(([name]) => name !== 'spinner')
    .filter(([, said]) =>
      said.some((one) => /^(transform|translate|rotate|scale|offset|top|left|width|height)/.test(one)),
    )
    .map(([name]) => name)
    .sort();
}

test.describe('motion', { tag: [alone, long] }, () => {
  test.use({ greeting: 'whole' });

  test('is of what the finger touches, of progress, and of what opens', async ({ sandbox, phoneOf }) => {
    const animated = await see(phoneOf(await sandbox.newPlayer()));
    expect(moving(animated)).toEqual(
      expect.arrayContaining([
        'fill',
        'float',
        'frame',
        'jump',
        'leap',
        'modal',
        'ripple',
        'sheet',
        'target',
      ]),
    );
    expect(animated.float).toEqual(['transform 1200', 'opacity 1200']);
  });

  test('is gone when the player asked for less of it: what comes and goes only fades', async ({
    sandbox,
    phoneOf,
    page,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const animated = await see(phoneOf(await sandbox.newPlayer()));
    expect(moving(animated)).toEqual([]);
    expect(animated.float).toEqual(['opacity 600']);
    expect(Object.keys(animated)).toEqual(expect.arrayContaining(['float', 'modal', 'sheet']));
  });
});
