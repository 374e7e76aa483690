import { bigintNumber } from './bigint.column';

describe('bigintNumber', () => {
  it("reads the driver's text as a number, and writes numbers", () => {
    expect([
      bigintNumber.from('9007199254740991'),
      bigintNumber.from('-5'),
      bigintNumber.to(7),
      bigintNumber.to(7n),
    ]).toEqual([9007199254740991, -5, 7, 7]);
  });

  it('leaves alone NULL and anything that is not a value', () => {
    expect([null, undefined].map(bigintNumber.from)).toStrictEqual([null, undefined]);
    expect([null, undefined].map(bigintNumber.to)).toStrictEqual([null, undefined]);
  });

  it('refuses to lose digits, in both directions', () => {
    expect(() => bigintNumber.from('9007199254740993')).toThrow(
      new RangeError(
        '9007199254740993 cannot be kept in a number exactly: a bigint column read or written as a number must stay within ±(2^53 - 1).',
      ),
    );
    expect(() => bigintNumber.to(1.5)).toThrow(RangeError);
  });
});
