import { timestampOf } from './signed-timestamp';

const eight = Date.parse('2026-03-01T08:00:00Z');

describe('a timestamp with a UTC offset', () => {
  it.each([
    ['2026-03-01T08:00:00Z', eight],
    ['2026-03-01T15:00:00+07:00', eight],
    ['2026-03-01T15:00:00+0700', eight],
    ['2026-03-01T08:00:00-00:00', eight],
    ['2026-03-01T04:30:00-03:30', eight],
    ['2026-03-01T08:00Z', eight],
    ['2026-03-01T08:00:00.024Z', eight + 24],
    ['2026-03-01T08:00:00.123456789Z', eight + 123.456789],
    ['2026-03-01T22:00:00+14:00', eight],
    ['2024-02-29T00:00:00Z', Date.parse('2024-02-29T00:00:00Z')],
  ])('%s is read', (text, expected) => expect(timestampOf(text)).toBeCloseTo(expected, 3));

  it.each([
    ['no offset', '2026-03-01T08:00:00'],
    ['a date', '2026-03-01'],
    ['30 February', '2026-02-30T08:00:00Z'],
    ['29 February of a common year', '2026-02-29T08:00:00Z'],
    ['hour 24', '2026-03-01T24:00:00Z'],
    ['second 60', '2026-03-01T08:00:60Z'],
    ['an offset of 25 hours', '2026-03-01T08:00:00+25:00'],
    ['an offset above 14 hours', '2026-03-01T08:00:00+14:01'],
    ['an offset of 60 minutes', '2026-03-01T08:00:00+07:60'],
    ['epoch seconds', '1772352000'],
    ['RFC 2822', 'Sun, 01 Mar 2026 08:00:00 +0000'],
    ['a space instead of T', '2026-03-01 08:00:00Z'],
    ['white space around it', ' 2026-03-01T08:00:00Z'],
    ['ten digits of fraction', '2026-03-01T08:00:00.1234567890Z'],
    ['year 99', '0099-03-01T08:00:00Z'],
  ])('%s is refused', (_, text) => expect(timestampOf(text)).toBeUndefined());
});
