/** Spec §9 and the look: how long a floating value and a ripple live, and how many values at most. */
const floatLife = 1200;
const rippleLife = 800;
const most = 12;

/** Where values float to, in turn: pixels to the side, and how much of the usual height. */
const lanes = [
  [-52, 1],
  [40, 0.68],
  [-12, 1.32],
  [62, 1.1],
  [-34, 0.6],
  [16, 0.92],
] as const;

/** Everything that flies off the bag: plain elements with CSS animations, put in and taken out by hand. */
export class TapEffects {
  private readonly floats = new Set<HTMLElement>();
  private shown = 0;

  constructor(
    private readonly stage: HTMLElement,
    private readonly bag: HTMLElement,
    private readonly names: { float: string; ripple: string },
  ) {}

  /** `x` and `y` are where the finger is, in the window. */
  show(x: number, y: number, text: string): void {
    const box = this.stage.getBoundingClientRect();
    const float = this.add(this.names.float, x - box.left, y - box.top, floatLife, () => {
      this.floats.delete(float);
    });
    float.textContent = text;
    const [drift, reach] = lanes[this.shown % lanes.length] ?? lanes[0];
    float.style.setProperty('--drift', `${drift}px`);
    float.style.setProperty('--reach', `${reach}`);
    this.shown += 1;
    this.floats.add(float);
    if (this.floats.size > most) {
      const [oldest] = this.floats;
      oldest?.remove();
      if (oldest) this.floats.delete(oldest);
    }
    this.add(this.names.ripple, x - box.left, y - box.top, rippleLife);
    this.tilt();
  }

  clear(): void {
    for (const float of this.floats) float.remove();
    this.floats.clear();
  }

  private add(name: string, left: number, top: number, life: number, gone?: () => void): HTMLElement {
    const element = document.createElement('span');
    element.className = name;
    element.setAttribute('aria-hidden', 'true');
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
    this.stage.append(element);
    setTimeout(() => {
      element.remove();
      gone?.();
    }, life);
    return element;
  }

  /** With one finger held, :active cannot show the next one's tap; this can. */
  private tilt(): void {
    if (!this.bag.animate || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    this.bag.animate([{ transform: 'scale(0.95) rotate(-1.2deg)' }, { transform: 'none' }], {
      duration: 180,
      easing: 'cubic-bezier(0.2, 0.8, 0.2, 1)',
    });
  }
}
