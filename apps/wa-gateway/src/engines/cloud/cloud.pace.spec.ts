import { fixedClock } from '@platform/runtime';
import { CloudPace } from './cloud.pace';

it('a number that was limited is held no longer when the clock is set back an hour', () => {
  const clock = fixedClock('2026-03-01T08:00:00.000Z');
  const pace = new CloudPace(clock);
  expect([pace.numberLimited(), pace.heldMs]).toEqual([1_000, 1_000]);
  clock.advance(-3_600_000);
  expect(pace.heldMs).toBe(0);
});
