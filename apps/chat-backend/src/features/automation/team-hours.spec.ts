import { isWithinHours } from './team-hours';

/** Friday 2026-11-20, 08:30 in Jakarta. */
const NOW = new Date('2026-11-20T01:30:00Z');
const open = (hours: unknown, now = NOW) => isWithinHours(hours, 'Asia/Jakarta', now);

describe('a team works', () => {
  it.each([
    ['without hours', null, true],
    ['with an empty list', [], true],
    ['inside its hours', [{ day: 5, open: '08:30', close: '17:00' }], true],
    ['not before them', [{ day: 5, open: '08:31', close: '17:00' }], false],
    ['not from their end on', [{ day: 5, open: '07:00', close: '08:30' }], false],
    ['not on another day', [{ day: 4, open: '00:00', close: '24:00' }], false],
    [
      'in the second of two openings',
      [
        { day: 5, open: '06:00', close: '07:00' },
        { day: 5, open: '08:00', close: '09:00' },
      ],
      true,
    ],
    ['past midnight of the day before', [{ day: 4, open: '22:00', close: '09:00' }], true],
    ['not past its end after midnight', [{ day: 4, open: '22:00', close: '08:00' }], false],
  ])('%s', (_, hours, expected) => expect(open(hours)).toBe(expected));

  it('by the clock of the store, not of the machine', () =>
    expect(open([{ day: 6, open: '00:00', close: '01:00' }], new Date('2026-11-20T17:30:00Z'))).toBe(true));
});
