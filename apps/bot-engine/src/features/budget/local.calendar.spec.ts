import { calendarAt } from './local.calendar';

const spans = (at: string, zone: string) => {
  const { day, month } = calendarAt(new Date(at), zone);
  return [day, month].map(({ name, from, until }) => [name, from.toISOString(), until.toISOString()]);
};

it('the day of a store begins at midnight of its own clocks', () => {
  expect(spans('2026-11-23T16:59:59.999Z', 'Asia/Jakarta')).toEqual([
    ['2026-11-23', '2026-11-22T17:00:00.000Z', '2026-11-23T17:00:00.000Z'],
    ['2026-11', '2026-10-31T17:00:00.000Z', '2026-11-30T17:00:00.000Z'],
  ]);
  expect(spans('2026-11-30T17:00:00.000Z', 'Asia/Jakarta')).toEqual([
    ['2026-12-01', '2026-11-30T17:00:00.000Z', '2026-12-01T17:00:00.000Z'],
    ['2026-12', '2026-11-30T17:00:00.000Z', '2026-12-31T17:00:00.000Z'],
  ]);
});

it('a day on which the clocks change has 23 or 25 hours', () => {
  expect(spans('2026-03-29T12:00:00Z', 'Europe/Berlin')[0]).toEqual([
    '2026-03-29',
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ]);
  expect(spans('2026-10-25T12:00:00Z', 'Europe/Berlin')[0]).toEqual([
    '2026-10-25',
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
});

it('a zone that nobody knows is taken for Jakarta', () =>
  expect(spans('2026-11-23T01:00:00Z', 'Mars/Olympus')).toEqual(spans('2026-11-23T01:00:00Z', 'Asia/Jakarta')));
