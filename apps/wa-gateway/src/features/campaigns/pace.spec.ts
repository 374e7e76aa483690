import { afterQuestion, afterSend, defaultPace, drawDelay, meanInterval, type LanePace } from './pace';

/** Two numbers make one normal deviate: the first its size, the second its direction. */
const deviates = (...values: number[]) => {
  const numbers = values.flatMap((z) => [1 - Math.exp(-(z * z) / 2), z < 0 ? 0.5 : 0]);
  return () => numbers.shift() ?? Number.NaN;
};
const pace = { delayMin: 4, delayMax: 12, batchSize: 3, batchPause: 60 };

describe('the pause after a campaign send', () => {
  it('is the middle of its range, and a quarter of the range for every standard deviation', () => {
    const drawn = [0, 1, -1, 2, -2].map((z) => drawDelay(pace, deviates(z)));
    expect(drawn.map((seconds) => Number(seconds.toFixed(9)))).toEqual([8, 10, 6, 12, 4]);
  });

  it('is drawn again when it would lie outside of its range', () => {
    expect(drawDelay(pace, deviates(2.5, -3, 0.5))).toBeCloseTo(9, 9);
  });

  it('is not random when both ends are equal', () => {
    expect(drawDelay({ delayMin: 7, delayMax: 7 }, () => Number.NaN)).toBe(7);
  });

  it('stays inside for ten thousand draws, with the middle as their mean', () => {
    let seed = 42;
    // Park, S. K., Miller, K. W. (1988): Random number generators: good ones are hard to find
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const drawn = Array.from({ length: 10_000 }, () => drawDelay(pace, random));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(4);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(12);
    expect(drawn.reduce((sum, each) => sum + each, 0) / drawn.length).toBeCloseTo(8, 1);
  });
});

describe('the campaign lane', () => {
  const now = new Date('2026-11-20T03:00:00Z');
  const booking = { now, day: '2026-11-20', random: () => 0 };
  const lane: LanePace = {
    nextAt: now,
    lastAt: new Date('2026-11-20T02:59:50Z'),
    day: '2026-11-20',
    sent: 7,
    batch: 1,
  };

  it('counts a send, and pauses for as long as was drawn', () => {
    expect(afterSend(lane, pace, booking)).toEqual({
      nextAt: new Date('2026-11-20T03:00:08Z'),
      lastAt: now,
      day: '2026-11-20',
      sent: 8,
      batch: 2,
    });
  });

  it('pauses for longer after a batch, and begins another', () => {
    expect(afterSend({ ...lane, batch: 2 }, pace, booking)).toEqual({
      nextAt: new Date('2026-11-20T03:01:00Z'),
      lastAt: now,
      day: '2026-11-20',
      sent: 8,
      batch: 0,
    });
  });

  it('begins a new batch after a rest, and a new count with a new day', () => {
    const rested = { ...lane, lastAt: new Date('2026-11-19T02:00:00Z'), day: '2026-11-19', batch: 2 };
    expect(afterSend(rested, pace, booking)).toMatchObject({ sent: 1, batch: 1, day: '2026-11-20' });
  });

  it('pauses after a number lookup, which counts as no send', () => {
    expect(afterQuestion(lane, pace, booking)).toEqual({ ...lane, nextAt: new Date('2026-11-20T03:00:08Z') });
  });

  it('spreads the pauses between batches over the sends, on average', () => {
    expect(meanInterval(defaultPace)).toBeCloseTo((5.5 * 19 + 60) / 20, 9);
  });
});
