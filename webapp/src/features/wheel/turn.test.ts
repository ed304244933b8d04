import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { segmentAt } from '../../testing/pointer';
import { easing, ticks } from './ticks';
import { normalizeAngle, pathTo, segments, step } from './turn';

const always = (value: number) => () => value;
const oneAfterOther =
  (...values: number[]) =>
  () =>
    values.shift() ?? expect.fail('two are enough');
const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
/** Any spin: from where, to which segment, golden or not, and its two random numbers. */
const anySpin = [unit, fc.nat(segments - 1), fc.boolean(), unit, unit] as const;
const almostOne = 1 - 2 ** -32;
const every = Array.from({ length: segments }, (_, segment) => segment);
const spin = { from: 0, segment: 0, golden: false, prefersReducedMotion: false, random: always(0.5) };

/** How far the pointer stands from the middle of its segment, in degrees. */
const off = (angle: number) => Math.abs(normalizeAngle(angle + step / 2) - step / 2) % step;

describe('the wheel', () => {
  it.each(every)('turned by so many steps back has segment %i at the pointer', (segment) => {
    expect(segmentAt(-segment * step)).toBe(segment);
    expect(segmentAt(-segment * step + 17.9)).toBe(segment);
    expect(segmentAt(-segment * step - 17.9)).toBe(segment);
    expect(segmentAt(-segment * step + 720)).toBe(segment);
  });

  it('has its segments clockwise: turned on a little, the pointer is on the one before', () => {
    expect(segmentAt(19)).toBe(9);
    expect(segmentAt(-19)).toBe(1);
  });

  it.each(every)('stops in segment %i, whatever the dice say', (segment) => {
    for (const random of [always(0), always(0.5), always(almostOne)]) {
      for (const golden of [false, true]) {
        expect(segmentAt(pathTo({ ...spin, segment, golden, random }).to)).toBe(segment);
      }
    }
  });

  /** Degrees from the middle of the segment. */
  const beside = (to: number, segment: number) => normalizeAngle(to + segment * step + 180) - 180;

  it('stops in the segment of the prize from wherever it stood, never near a border', () => {
    fc.assert(
      fc.property(...anySpin, (from, segment, golden, turns, place) => {
        const random = oneAfterOther(turns, place);
        const { to } = pathTo({ ...spin, from: from * 360, segment, golden, random });
        expect(segmentAt(to)).toBe(segment);
        expect(Math.abs(beside(to, segment))).toBeLessThanOrEqual(14 + 1e-6);
      }),
      { numRuns: 5000 },
    );
  });

  it('stops in many places of a segment', () => {
    const places = Array.from({ length: 1000 }, (_, n) =>
      pathTo({ ...spin, random: oneAfterOther(0, n / 1000) }),
    );
    expect(new Set(places.map(({ to }) => Math.round(beside(to, 0)))).size).toBe(29);
  });

  it.each([
    [false, 5, 10],
    [true, 7, 10],
  ])('goes round fully (golden: %s) %i to %i times first, as often each', (golden, least, most) => {
    const requests = new Map<number, number>();
    const times = 12_000;
    for (let n = 0; n < times; n += 1) {
      const { from, to } = pathTo({
        ...spin,
        segment: n % segments,
        golden,
        random: oneAfterOther(n / times, 0.5),
      });
      const full = Math.floor((to - from) / 360);
      requests.set(full, (requests.get(full) ?? 0) + 1);
    }
    expect([...requests.keys()].sort((a, b) => a - b)).toEqual(
      Array.from({ length: most - least + 1 }, (_, n) => least + n),
    );
    for (const count of requests.values()) expect(count).toBe(times / requests.size);
  });

  it('turns for 5 s, golden for 7 s, and fades in 300 ms for who wants less motion', () => {
    expect(pathTo(spin).duration).toBe(5000);
    expect(pathTo({ ...spin, golden: true }).duration).toBe(7000);
    expect(pathTo({ ...spin, golden: true, prefersReducedMotion: true }).duration).toBe(300);
  });

  it('is exact: 5 turns and the second segment', () => {
    expect(pathTo({ ...spin, segment: 1, random: always(0) })).toEqual({
      from: 0,
      to: 5 * 360 + 360 - step - 14,
      duration: 5000,
    });
  });
});

describe('the ticks', () => {
  const path = { from: 100, to: 100 + 8 * 360 + 123, duration: 5000 };

  it('come as the pegs pass: the slow last ones each at its own time', () => {
    const times = ticks(path);
    // The slowest: the end is a parabola in the time left, so a peg takes the longer the nearer the stop.
    const gaps = times.slice(1).map((time, n) => time - (times[n] ?? 0));
    const last = gaps.slice(-4);
    expect(last).toEqual([...last].sort((a, b) => a - b));
    expect(times.every((time) => time >= 0 && time < path.duration)).toBe(true);
    expect(times.length).toBeGreaterThan(15);
  });

  it('are where the browser’s easing has the wheel at that moment', () => {
    // CSS defines the easing by x = time and y = progress of one curve; this walks it in small steps.
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = easing.match(/[\d.]+/g)?.map(Number) ?? [];
    const at = (s: number, a: number, b: number) =>
      3 * (1 - s) ** 2 * s * a + 3 * (1 - s) * s ** 2 * b + s ** 3;
    const angleAt = (time: number) => {
      let s = 0;
      while (at(s, x1, x2) < time / path.duration) s += 1e-5;
      return path.from + (path.to - path.from) * at(s, y1, y2);
    };
    for (const time of ticks(path).slice(-8)) {
      expect(off(angleAt(time) + step / 2)).toBeCloseTo(0, 0);
    }
  });

  it('are at most 12 in any second, of any spin', () => {
    fc.assert(
      fc.property(...anySpin, (from, segment, golden, turns, place) => {
        const random = oneAfterOther(turns, place);
        const times = ticks(pathTo({ ...spin, from: from * 360, segment, golden, random }));
        times.forEach((time, first) => {
          const within = times.filter((other) => other >= time && other < time + 1000);
          expect(within.length, `from tick ${first}`).toBeLessThanOrEqual(12);
        });
        expect(times.length).toBeGreaterThan(10);
      }),
      { numRuns: 500 },
    );
  });

  it('are none where no peg is passed', () => {
    expect(ticks({ from: 0, to: 17, duration: 300 })).toEqual([]);
    expect(ticks({ from: 0, to: 19, duration: 300 })).toHaveLength(1);
  });
});
