import { secretBox } from './secret-box';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');

describe('a sealed secret', () => {
  it('a sealed secret opens again, and is sealed differently each time', () => {
    const box = secretBox(key(1));
    const [one, two] = [box.seal('rahasia ✓', 'users/1'), box.seal('rahasia ✓', 'users/1')];
    expect(one).not.toBe(two);
    expect([box.open(one, 'users/1'), box.open(two, 'users/1')]).toEqual(['rahasia ✓', 'rahasia ✓']);
    expect(one).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]+$/);
  });

  it('a sealed secret opens with an older key of the ring, and is marked for resealing', () => {
    const old = secretBox(key(1)).seal('x', 'p');
    const ring = secretBox(`${key(2)},${key(1)}`);
    expect([ring.open(old, 'p'), ring.isStale(old), ring.isStale(ring.seal('x', 'p'))]).toEqual(['x', true, false]);
  });

  it('a sealed secret does not open for another purpose, after a change, or without its key', () => {
    const box = secretBox(key(1), { setting: 'SIGNING_KEY_SECRET' });
    const sealed = box.seal('x', 'users/1');
    expect(() => box.open(sealed, 'users/2')).toThrow();
    // Not the last digit, of which base64url ignores some bits
    const changed = sealed.replace(/.(?=.{4}$)/, (digit) => (digit === 'A' ? 'B' : 'A'));
    expect(() => box.open(changed, 'users/1')).toThrow();
    expect(() => box.open('plain', 'users/1')).toThrow('this is not a box of secretBox');
    expect(() => secretBox(key(2), { setting: 'SIGNING_KEY_SECRET' }).open(sealed, 'users/1')).toThrow(
      /^SIGNING_KEY_SECRET does not hold the key [0-9a-f]{8} /,
    );
  });

  it('a secret box refuses keys that are not 32 bytes, without showing them', () => {
    expect(() => secretBox('c2hvcnQ=', { setting: 'WA_AUTH_KEY' })).toThrow(
      'WA_AUTH_KEY must be 32 bytes in base64, or several such keys with commas, the newest first',
    );
    expect(() => secretBox(`${key(1)},c2hvcnQ=`)).toThrow('the encryption key must be 32 bytes in base64');
    expect(() => secretBox('')).toThrow('the encryption key must be 32 bytes in base64');
  });

  it('a sealed secret does not open with a shortened tag, which would be easier to guess', () => {
    const box = secretBox(key(1));
    const [version, id, data] = box.seal('', 'p').split('.') as [string, string, string];
    const short = Buffer.from(data, 'base64url')
      .subarray(0, 12 + 4)
      .toString('base64url');
    expect(() => box.open([version, id, short].join('.'), 'p')).toThrow();
  });
});
