import { Chance } from '../shop/public';
import { DAY_MS, HOUR_MS, later, type Scene } from './scene';

/** Orders of a day when the shop was new, and when it has found its customers. */
const AT_FIRST = 2.2;
const LATELY = 6.4;
/** From Sunday on. */
const OF_WEEKDAY = [1.2, 0.85, 0.85, 0.9, 1, 1.1, 1.35];
/** From midnight on: before work, at lunch, in the evening. */
const OF_HOUR = [1, 0.5, 0.2, 0.1, 0.2, 0.6, 1.5, 2.5, 4, 5, 6, 7, 8, 7, 5, 5, 5, 6, 8, 10, 11, 9, 5, 2.5] as const;
/** Wages are paid in the last week. */
const OF_PAYDAYS = 1.35;
const HOURS = OF_HOUR.map((_, hour) => hour) as [number, ...number[]];

const expectedOn = (day: Date, grown: number): number => {
  const payday = day.getUTCDate() >= 25 && day.getUTCDate() <= 28 ? OF_PAYDAYS : 1;
  return (AT_FIRST + (LATELY - AT_FIRST) * grown) * (OF_WEEKDAY[day.getUTCDay()] ?? 1) * payday;
};

const momentOf = (chance: Chance, midnight: Date): Date => {
  const hour = chance.weighted(HOURS, (each) => OF_HOUR[each] ?? 0);
  return later(midnight, hour * HOUR_MS + chance.whole(0, HOUR_MS - 1));
};

/** When orders were placed, the first first: more at weekends and in the evening, and more from week to week. None is to come. */
export const momentsOf = ({ storeId, now, days, clocks }: Scene): Date[] => {
  const today = clocks.midnight(now);
  const moments = Array.from({ length: days + 1 }, (_, past) => {
    // The noon of a day is on that day, also where clocks are changed
    const midnight = clocks.midnight(later(today, DAY_MS / 2 - past * DAY_MS));
    const chance = new Chance(`${storeId}/day/${past}`);
    const count = Math.floor(
      expectedOn(clocks.shown(midnight), 1 - past / days) * (0.75 + chance.next() / 2) + chance.next(),
    );
    return Array.from({ length: count }, () => momentOf(chance, midnight));
  });
  return moments
    .flat()
    .filter((at) => at <= now)
    .toSorted((one, other) => one.getTime() - other.getTime());
};
