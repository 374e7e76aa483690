import { formats } from './formats';

describe('the format of an instant', () => {
  it.each([
    ['2026-11-05', true],
    ['2026-11-05T10:00:00Z', true],
    ['2026-11-05T10:00:00.123456789+07:00', true],
    ['2026-11-05T10:00', true],
    ['2026-11-05T10', false],
    ['2026-W01', false],
    ['20261105T100000Z', false],
    ['2026-11-05T10:00:00+23:59', false],
    ['2026-02-30T10:00:00Z', false],
    ['0000-01-01T00:00:00Z', false],
  ])('%s can be stored: %s', (value, expected) => expect(formats.instant.test(value)).toBe(expected));
});

describe('a day', () => {
  it.each([
    ['2026-11-05', true],
    ['2028-02-29', true],
    ['2026-02-30', false],
    ['2026-13-01', false],
    ['0000-01-01', false],
    ['2026-11-05T10:00', false],
  ])('%s can be stored: %s', (value, expected) => expect(formats.date.test(value)).toBe(expected));
});

describe('an address', () => {
  it.each([
    ['https://toko.example/a?b=c#d', true],
    ['http://localhost:3000/', true],
    ['http://xn--bcher-kva.example/', true],
    ['http://xn--a/', false],
    ['http://xn--a-ecp.ru/', false],
    ['ftp://toko.example/', false],
  ])('%s can be read: %s', (value, expected) => expect(formats.url.test(value)).toBe(expected));
});
