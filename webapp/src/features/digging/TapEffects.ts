/** Spec §9 and the look: lifetimes in milliseconds, and the most floating values at once. */
const floatMs = 1200;
const rippleMs = 800;
const leapMs = 700;
const maxFloats = 12;
/** Where a value starts, and a piece leaps out: in the upper part of the target, as a share of its height. */
const mouth = 0.16;

/** Where values float to, in turn: pixels to the side, and the share of the default height. */
const lanes = [
  [-52, 1],
  [40, 0.68],
  [-12, 1.32],
  [62, 1.1],
  [-34, 0.6],
  [16, 0.92],
] as const;

/** Values and ripples over the target: plain elements with CSS animations, added and removed without React. */
export class TapEffects {
  private count = 0;

  constructor(
    private readonly stage: HTMLElement,
    private readonly target: HTMLElement,
    private readonly names: Readonly<Record<string, string>>,
  ) {}

  /**
   * What a tap has brought floats up from above the target, near the finger that would hide it, and a piece leaps out. `x`
   * and `y` are in the window.
   */
  show(x: number, y: number, text: string): void {
    const stage = this.stage.getBoundingClientRect();
    const middle = this.target.offsetLeft + this.target.offsetWidth / 2;
    const upper = this.target.offsetTop + this.target.offsetHeight * mouth;
    const [drift, reach] = lanes[this.count % lanes.length] ?? lanes[0];
    const way = `--drift:${drift}px;--reach:${reach}`;
    const float = this.add(this.names.float ?? '', (x - stage.left + middle) / 2, upper, floatMs, way);
    float.textContent = text;
    this.count += 1;
    const floats = this.stage.getElementsByClassName(float.className);
    if (floats.length > maxFloats) floats[0]?.remove();
    this.add(this.names.leap ?? '', middle, upper, leapMs, way);
    this.add(this.names.ripple ?? '', x - stage.left, y - stage.top, rippleMs);
    this.tilt();
  }

  /** A finger that counts for nothing is seen all the same. */
  ripple(x: number, y: number): void {
    const { left, top } = this.stage.getBoundingClientRect();
    this.add(this.names.ripple ?? '', x - left, y - top, rippleMs);
  }

  private add(name: string, x: number, y: number, lifeMs: number, way = ''): HTMLElement {
    const element = document.createElement('span');
    element.className = name;
    element.setAttribute('aria-hidden', 'true');
    element.style.cssText = `left:${x}px;top:${y}px;${way}`;
    this.stage.append(element);
    setTimeout(() => element.remove(), lifeMs);
    return element;
  }

  /** While one finger is held, :active does not show another finger's tap. */
  private tilt(): void {
    if (!this.target.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.target.animate([{ transform: 'scale(0.95) rotate(-1.2deg)' }, { transform: 'none' }], {
      duration: 180,
      easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
    });
  }
}
