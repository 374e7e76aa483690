import { random } from '@platform/testing';
import { DAY_MS, endOf, wholeSecond, type Period } from './period';
import { creditOf, restOf, type PaidTime } from './proration';

const day = (text: string): Date => new Date(`${text}T09:30:00Z`);
const shown = (date: Date): string => date.toISOString().slice(0, 19);
/** The ends of the periods that follow each other from a day on. */
const endsFrom = (text: string, period: Period, count: number): string[] => {
  const anchor = day(text).getUTCDate();
  const ends: Date[] = [];
  for (let start = day(text); ends.length < count; start = ends.at(-1) as Date) ends.push(endOf(start, period, anchor));
  return ends.map((end) => shown(end).replace('T09:30:00', ''));
};

describe('a period', () => {
  it.each<[string, string, Period, string[]]>([
    ['31 January', '2027-01-31', 'monthly', ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30']],
    ['31 January of a leap year', '2028-01-31', 'monthly', ['2028-02-29', '2028-03-31', '2028-04-30']],
    ['30 January', '2027-01-30', 'monthly', ['2027-02-28', '2027-03-30']],
    ['31 December', '2026-12-31', 'monthly', ['2027-01-31', '2027-02-28', '2027-03-31']],
    ['a leap day', '2028-02-29', 'monthly', ['2028-03-29', '2028-04-29']],
    ['a leap day, by the year', '2028-02-29', 'yearly', ['2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29']],
    ['15 June, by the year', '2026-06-15', 'yearly', ['2027-06-15', '2028-06-15']],
  ])('from %s ends on the same day, or on the last of a month that has it not', (_, start, period, ends) =>
    expect(endsFrom(start, period, ends.length)).toEqual(ends),
  );

  it('ends at the time of day at which it began', () =>
    expect(shown(endOf(new Date('2027-03-28T01:59:59Z'), 'monthly', 28))).toBe('2027-04-28T01:59:59'));
});

describe('the credit', () => {
  const month = (from: string, until: string): PaidTime => ({ price: 100_000, from: day(from), until: day(until) });

  it.each<[string, PaidTime, string, number]>([
    ['half of a month of 30 days', month('2027-04-01', '2027-05-01'), '2027-04-16T09:30:00Z', 50_000],
    ['a month of 31 days after 10', month('2027-01-01', '2027-02-01'), '2027-01-11T09:30:00Z', 67_741],
    ['February after 10 days', month('2027-02-01', '2027-03-01'), '2027-02-11T09:30:00Z', 64_285],
    ['February of a leap year after 10 days', month('2028-02-01', '2028-03-01'), '2028-02-11T09:30:00Z', 65_517],
    ['its first second', month('2027-01-01', '2027-02-01'), '2027-01-01T09:30:00.999Z', 100_000],
    ['its last second', month('2027-01-01', '2027-02-01'), '2027-02-01T09:29:59Z', 0],
    ['a year with a leap day after 59 days', month('2028-01-01', '2029-01-01'), '2028-02-29T09:30:00Z', 83_879],
  ])('of %s is the floor of what remains of it', (_, paid, at, credit) =>
    expect(creditOf(paid, new Date(at))).toBe(credit),
  );

  it('is nothing after the end, and no more than was paid before the beginning', () => {
    const paid = month('2027-01-01', '2027-02-01');
    expect([creditOf(paid, day('2027-02-02')), creditOf(paid, day('2026-12-30'))]).toEqual([0, 100_000]);
  });

  it('is exact where a double would not be', () =>
    expect(creditOf({ ...month('2027-01-01', '2028-01-01'), price: 999_999_999_999 }, day('2027-01-02'))).toBe(
      Number((999_999_999_999n * 364n) / 365n),
    ));

  it('of ten thousand random moments is from 0 to what was paid, falls with time, and with what the rest costs differs by the rounding only', () => {
    const { below, chance } = random(20_261_124);
    for (let round = 0; round < 10_000; round++) {
      const from = wholeSecond(new Date(Date.UTC(2026, 0, 1) + below(2_000 * DAY_MS)));
      const period: Period = chance(0.5) ? 'monthly' : 'yearly';
      const paid = { price: 1 + below(100_000_000), from, until: endOf(from, period, from.getUTCDate()) };
      const at = new Date(from.getTime() + below(paid.until.getTime() - from.getTime()));
      const later = new Date(at.getTime() + below(DAY_MS));
      const [credit, rest] = [creditOf(paid, at), restOf(paid, at)];
      const isSound = credit >= 0 && credit <= paid.price && creditOf(paid, later) <= credit;
      const isRounded = rest - credit === 0 || rest - credit === 1;
      if (!isSound || !isRounded || rest < 1) throw new Error(JSON.stringify({ paid, at, later, credit, rest }));
    }
  });
});
