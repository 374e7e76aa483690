import { bigintNumber } from './bigint.column';

describe('bigintNumber', () => {
  it('reads the text of the driver and writes numbers', () => {
    expect([bigintNumber.from('9007199254740991'), bigintNumber.from('-5'), bigintNumber.to(7)]).toEqual([
      9007199254740991, -5, 7,
    ]);
  });

  it('leaves NULL and what is not a value alone', () => {
    expect([bigintNumber.from(null), bigintNumber.to(null), bigintNumber.to(undefined)]).toEqual([
      null,
      null,
      undefined,
    ]);
  });

  it('refuses to lose digits, in both directions', () => {
    expect(() => bigintNumber.from('9007199254740993')).toThrow(/9007199254740993 cannot be kept in a number exactly/);
    expect(() => bigintNumber.to(1.5)).toThrow(RangeError);
  });
});
