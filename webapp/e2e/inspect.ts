import type { Frame, Page } from '@playwright/test';
import axe from 'axe-core';
import { expect } from './test';

/** The phone most have, and the smallest the game is made for. */
export const sizes = [
  { width: 390, height: 844 },
  { width: 320, height: 640 },
];

/** A name that is longer than some screens have room for. */
export const longName = 'Maximiliana';

/** What an element is called in a complaint. */
type Complaint = string;

/** Whatever scrolls sideways, or would if it were not cut off: what scrolls down, such as a drawer, cuts off as well. */
function sideways(): Complaint[] {
  const scrolls = ({ overflowX, overflowY }: CSSStyleDeclaration) =>
    /auto|scroll/.test(overflowX + overflowY);
  const whole = 'html, body, main, [role="dialog"]';
  return [...document.querySelectorAll('*')]
    .filter((element) => element.matches(whole) || scrolls(getComputedStyle(element)))
    .filter((element) => element.scrollWidth > element.clientWidth)
    .map(
      (element) => `${element.tagName}.${element.className} ${element.scrollWidth} > ${element.clientWidth}`,
    );
}

/** Words that end in an ellipsis for want of room. A name, which nobody may translate, may be longer than any screen; nothing else may. */
function cutOff(): Complaint[] {
  return [...document.querySelectorAll<HTMLElement>('*')]
    .filter((element) => getComputedStyle(element).textOverflow === 'ellipsis')
    .filter((element) => element.scrollWidth > element.clientWidth && element.translate)
    .map((element) => `"${element.textContent}" ${element.scrollWidth} > ${element.clientWidth}`);
}

/**
 * Controls a finger cannot hit within 44 x 44 px, whether by their own size or by what they add around it. Under a drawer
 * or a modal nothing can be hit, so there only what lies over is asked. A link within a sentence has the sentence's size.
 */
function tooSmall(): Complaint[] {
  const half = 21.5;
  const over = [...document.querySelectorAll('[role="dialog"]')].at(-1);
  const controls = (over ?? document).querySelectorAll<HTMLElement>(
    'a[href], button:not(:disabled), input, [role="tab"]',
  );
  return [...controls]
    .filter((control) => getComputedStyle(control).display !== 'inline' && !control.closest('[inert]'))
    .filter((control) => {
      control.scrollIntoView({ block: 'center' });
      const target = control.closest('label') ?? control;
      const box = target.getBoundingClientRect();
      if (box.width === 0) return false;
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const hit = (dx: number, dy: number) => target.contains(document.elementFromPoint(x + dx, y + dy));
      const wide = box.width >= 44 || (hit(-half, 0) && hit(half, 0));
      const high = box.height >= 44 || (hit(0, -half) && hit(0, half));
      return !(wide && high);
    })
    .map((control) => {
      const { width, height } = control.getBoundingClientRect();
      return `${control.tagName} "${control.textContent || control.ariaLabel}" ${width} x ${height}`;
    });
}

/** The page's policy lets no script in, but what the test evaluates comes from outside of it. */
async function unreadable(frame: Frame): Promise<Complaint[]> {
  if (!(await frame.evaluate(() => 'axe' in window))) await frame.evaluate(axe.source);
  return frame.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ['violations'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => `${id}: ${html} ${any[0]?.message ?? ''}`),
    );
  });
}

/** Fonts are in, what has just come can be touched, and nothing moves any more, so that what is measured is what stays. */
export async function settled(frame: Frame): Promise<void> {
  await expect(frame.locator('[class*="guard"]')).toHaveCount(0);
  await frame.evaluate(async () => {
    await document.fonts.ready;
    await Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished),
    );
  });
}

/** What is found again once all stands still: a part that arrives late may be on its way in at the first look. */
async function lasting(frame: Frame, find: (frame: Frame) => Promise<string[]>): Promise<string[]> {
  const found = await find(frame);
  if (found.length === 0) return found;
  await settled(frame);
  return find(frame);
}

/** What depends on the room there is. */
async function inspectRoom(frame: Frame, name: string): Promise<void> {
  await settled(frame);
  for (const [find, what] of [
    [sideways, 'sideways scroll'],
    [cutOff, 'words cut off'],
    [tooSmall, 'targets for a finger'],
  ] as const) {
    const found = await lasting(frame, () => frame.evaluate(find));
    expect.soft(found, `${name}: ${what}`).toEqual([]);
  }
}

export async function inspect(frame: Frame, name: string): Promise<void> {
  await inspectRoom(frame, name);
  expect.soft(await lasting(frame, unreadable), `${name}: accessibility`).toEqual([]);
}

type Shown = { readonly page: Page; frame(): Promise<Frame> };

/** What stands there, on every size of phone. What its reader finds is the same on all, and asked on the smallest. */
export async function inspectAtAllSizes(phone: Shown, name: string): Promise<void> {
  for (const size of sizes) {
    await phone.page.setViewportSize(size);
    await inspectRoom(await phone.frame(), `${name} at ${size.width} x ${size.height}`);
  }
  expect.soft(await lasting(await phone.frame(), unreadable), `${name}: accessibility`).toEqual([]);
}
