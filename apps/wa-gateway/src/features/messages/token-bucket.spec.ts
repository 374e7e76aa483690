import { fixedClock } from '@platform/runtime';
import { TokenBucket } from './token-bucket';

it('after the clock was set back an hour the next message leaves as soon as any other', () => {
  const clock = fixedClock('2026-03-01T08:00:00.000Z');
  const bucket = new TokenBucket({ perSecond: 2, burst: 1 }, clock);
  expect([bucket.take(), bucket.take()]).toEqual([0, 500]);
  clock.advance(-3_600_000);
  expect(bucket.take()).toBe(500);
  clock.advance(500);
  expect(bucket.take()).toBe(0);
});
