import { code128, signsOf } from './code128';

const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0);

it('a barcode of Code 128 begins, ends and is checked as its standard says', () => {
  // The published example: its check sign is 88
  expect(signsOf('Wikipedia').slice(-2)).toEqual([88, 106]);
  expect(code128('A')).toEqual([...'211214', ...'111323', ...'131123', ...'2331112'].map(Number));
});

it('every sign of a barcode is eleven modules wide and like no other, and the stop is thirteen', () => {
  const all = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');
  const widths = code128(all);
  expect(sum(widths)).toBe((1 + 95 + 1) * 11 + 13);
  const signs = Array.from({ length: 97 }, (_, at) => widths.slice(at * 6, at * 6 + 6).join(''));
  expect(new Set(signs.slice(0, 96)).size).toBe(96);
  expect(signs.every((sign) => sum([...sign].map(Number)) === 11)).toBe(true);
});

it('what a barcode cannot hold is refused by name', () =>
  expect(() => code128('JP12é')).toThrow('A barcode holds printable ASCII only, not "é".'));
