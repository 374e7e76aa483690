import { readerOf } from './reader';

const AT = '2026-12-31T20:00:00Z';

it.each([
  // On the clock of the store the year has turned already
  ['the same', '2027-01-02T00:00:00Z', ['1 Jan', '1 Jan, 03.00', '1 Jan, 03.00 WIB', '9 Nov 2026']],
  ['another', '2026-12-31T10:00:00Z', ['1 Jan 2027', '1 Jan 2027, 03.00', '1 Jan 2027, 03.00 WIB', '9 Nov']],
])('a year is told where it is another than now, on the clock of the store: %s', (_, now, said) => {
  const t = readerOf('id', 'Asia/Jakarta', new Date(now));
  expect([t.day(AT), t.brief(AT), t.moment(AT), t.day('2026-11-09')]).toEqual(said);
});

it('a day of the calendar is of this year by the clock of the store', () => {
  const t = readerOf('id', 'Asia/Jakarta', new Date(AT));
  expect([t.day('2027-01-01'), t.day('2026-12-31')]).toEqual(['1 Jan', '31 Des 2026']);
});

it('nobody is told a year by a reader who does not know the time', () =>
  expect(readerOf('en', 'Asia/Jakarta').brief(AT)).toBe('1 Jan, 03:00'));
