import { forecast, nextOpening, type LaneSituation, type Stretch } from './forecast';
import { laneRules, type LaneRules } from './lane-rules';
import { localDay, nextLocalHour } from './local-time';

const ZONE = 'Asia/Jakarta';
const quiet = { from: 21, to: 7 };
const free: LaneRules = { zone: ZONE };
const LONG_AGO = new Date(0);
const idle: LaneSituation = { nextAt: LONG_AGO, lastAt: LONG_AGO, day: '', sent: 0, batch: 0, restrictedUntil: null };
/** Ten seconds a send, batches or not. */
const pace = { delayMin: 10, delayMax: 10, batchSize: 100, batchPause: 0 };
const at = (text: string) => new Date(`${text}+07:00`);
const NOON = at('2026-11-20T12:00:00');

describe('local time', () => {
  it('knows the day and the next full hour of a zone', () => {
    const evening = new Date('2026-11-20T17:30:00Z');
    expect(localDay(evening, ZONE)).toBe('2026-11-21');
    expect(nextLocalHour(evening, 7, ZONE)).toEqual(at('2026-11-21T07:00:00'));
    expect(nextLocalHour(evening, 0, ZONE)).toEqual(at('2026-11-22T00:00:00'));
    expect(nextLocalHour(at('2026-11-21T07:00:00'), 7, ZONE)).toEqual(at('2026-11-22T07:00:00'));
  });

  it('finds the hour on the other side of a change to summer time', () => {
    expect(nextLocalHour(new Date('2026-03-28T20:00:00Z'), 7, 'Europe/Berlin')).toEqual(
      new Date('2026-03-29T05:00:00Z'),
    );
  });

  it.each([
    ['02:00', '2026-03-29T00:30:00Z', 2, 'Europe/Berlin', '2026-03-29T01:00:00Z'],
    ['midnight', '2026-04-23T21:30:00Z', 0, 'Africa/Cairo', '2026-04-23T22:00:00Z'],
  ])('places %s, which a change to summer time skips, where the clocks go forward', (_, now, hour, zone, then) => {
    expect(nextLocalHour(new Date(now), hour, zone)).toEqual(new Date(then));
  });
});

describe('campaign rules by engine', () => {
  const settings = { zone: ZONE, quiet, dailyLimit: undefined };

  it('limit only baileys by themselves, and let the simulator work at night', () => {
    expect(laneRules('baileys', settings)).toEqual({ zone: ZONE, quiet, dailyLimit: 1_000 });
    expect(laneRules('cloud', settings)).toEqual({ zone: ZONE, quiet, dailyLimit: undefined });
    expect(laneRules('simulator', settings)).toEqual({ zone: ZONE, quiet: undefined, dailyLimit: undefined });
  });

  it('take a limit that is set on every engine', () => {
    expect(laneRules('cloud', { ...settings, dailyLimit: 50 })).toMatchObject({ dailyLimit: 50 });
  });
});

describe('the next opening of a lane', () => {
  it.each<[string, Date, Partial<LaneSituation>, LaneRules, Date]>([
    ['now when nothing holds', NOON, {}, free, NOON],
    ['the end of its pause', NOON, { nextAt: at('2026-11-20T12:00:09') }, free, at('2026-11-20T12:00:09')],
    ['the end of a restriction', NOON, { restrictedUntil: at('2026-11-21T09:00:00') }, free, at('2026-11-21T09:00:00')],
    ['the morning after quiet hours', at('2026-11-20T22:30:00'), {}, { zone: ZONE, quiet }, at('2026-11-21T07:00:00')],
    [
      'the same morning in the small hours',
      at('2026-11-20T03:00:00'),
      {},
      { zone: ZONE, quiet },
      at('2026-11-20T07:00:00'),
    ],
    [
      'midnight when the day is spent',
      NOON,
      { day: '2026-11-20', sent: 3 },
      { zone: ZONE, dailyLimit: 3 },
      at('2026-11-21T00:00:00'),
    ],
    [
      'the morning when the day is spent and nights are quiet',
      NOON,
      { day: '2026-11-20', sent: 3 },
      { zone: ZONE, quiet, dailyLimit: 3 },
      at('2026-11-21T07:00:00'),
    ],
    ['now when yesterday was spent', NOON, { day: '2026-11-19', sent: 3 }, { zone: ZONE, dailyLimit: 3 }, NOON],
    [
      'the end of a nap in the middle of the day',
      NOON,
      {},
      { zone: ZONE, quiet: { from: 12, to: 14 } },
      at('2026-11-20T14:00:00'),
    ],
  ])('is %s', (_, now, lane, rules, expected) => {
    expect(nextOpening(now, { ...idle, ...lane }, rules)).toEqual(expected);
  });
});

describe('a forecast', () => {
  it('is the moment of the last send: ten of ten seconds end after ninety', () => {
    expect(forecast(NOON, idle, free, [{ count: 10, pace }])).toEqual(at('2026-11-20T12:01:30'));
  });

  it('queues stretches one after the other, and none before its start', () => {
    expect(
      forecast(NOON, idle, free, [
        { count: 3, pace },
        { count: 1, pace },
      ]),
    ).toEqual(at('2026-11-20T12:00:30'));
    const startAt = at('2026-11-20T18:00:00');
    expect(
      forecast(NOON, idle, free, [
        { count: 3, pace },
        { count: 2, pace, startAt },
      ]),
    ).toEqual(at('2026-11-20T18:00:10'));
  });

  it('rests at night: what does not fit before 21:00 follows from 07:00 on', () => {
    const late = at('2026-11-20T20:59:30');
    expect(forecast(late, idle, { zone: ZONE, quiet }, [{ count: 5, pace }])).toEqual(at('2026-11-21T07:00:10'));
  });

  it('sends the rest on the next days when the limit of a day is reached', () => {
    const rules = { zone: ZONE, quiet, dailyLimit: 1_000 };
    expect(forecast(NOON, idle, rules, [{ count: 2_500, pace }])).toEqual(at('2026-11-22T08:23:10'));
    expect(forecast(NOON, idle, rules, [{ count: 2, pace, dailyLimit: 1 }])).toEqual(at('2026-11-21T07:00:00'));
  });

  const slow = { delayMin: 600, delayMax: 600, batchSize: 20, batchPause: 600 };
  const daily = { delayMin: 3, delayMax: 3, batchSize: 1, batchPause: 86_400 };
  it.each<[string, LaneRules, Stretch, Date]>([
    // 54 on the first afternoon, then 84 a day from 07:00 to 20:50
    ['at 600 s, by day', { zone: ZONE, quiet }, { count: 10_000, pace: slow }, at('2027-03-19T12:30:00')],
    ['one a day, by day', { zone: ZONE, quiet }, { count: 10_000, pace, dailyLimit: 1 }, at('2054-04-06T07:00:00')],
    ['one a day', free, { count: 10_000, pace, dailyLimit: 1 }, at('2054-04-06T00:00:00')],
    ['with a day between two', free, { count: 10_000, pace: daily }, at('2054-04-06T12:00:00')],
    [
      'one a day, where clocks change',
      { zone: 'Europe/Berlin', quiet },
      { count: 10_000, pace, dailyLimit: 1 },
      new Date('2054-04-06T07:00:00+02:00'),
    ],
  ])(
    'of ten thousand sends over months or years reads the calendar of some weeks only: %s',
    (_, rules, stretch, expected) => {
      const readings = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
      expect(forecast(NOON, idle, rules, [stretch])).toEqual(expected);
      expect(readings.mock.calls.length).toBeLessThan(2_000);
      readings.mockRestore();
    },
  );
});
