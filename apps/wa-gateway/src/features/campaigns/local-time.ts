const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, format);
  return format;
};

/** What the clocks of the zone show, as if it were UTC. */
const wallOf = (at: Date, zone: string): number => {
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second, at.getMilliseconds());
};

/** `2026-11-20`, as the calendars of the zone show it. */
export const localDay = (at: Date, zone: string): string => new Date(wallOf(at, zone)).toISOString().slice(0, 10);

/** 0 to 23, as the clocks of the zone show it. */
export const localHour = (at: Date, zone: string): number => new Date(wallOf(at, zone)).getUTCHours();

/** The first instant after `at` when the clocks of the zone show the full hour, or pass it; 0 is the next midnight. */
export const nextLocalHour = (at: Date, hour: number, zone: string): Date => {
  const wall = wallOf(at, zone);
  const today = Math.floor(wall / DAY_MS) * DAY_MS + hour * HOUR_MS;
  const target = today > wall ? today : today + DAY_MS;
  // The offset may change in between (summer time): the one that holds there counts
  const guess = new Date(at.getTime() + (target - wall));
  const there = new Date(guess.getTime() + (target - wallOf(guess, zone)));
  // An hour that is left out begins where the clocks go forward
  return wallOf(there, zone) === target ? there : new Date(Math.max(guess.getTime(), there.getTime()));
};
