import type * as Dns from 'node:dns/promises';
import { isPrivateAddress, safeAddress, type SafeAddressOptions } from './safe-address';

const refused = { kind: 'rejected', code: 'url_not_allowed', message: 'the address is not allowed' };

/** All names resolve to this while `work` runs: tests query no name server. */
const withNames = async (found: () => Promise<readonly string[]>, work: () => Promise<unknown>) => {
  const dns = jest.requireActual<typeof Dns>('node:dns/promises');
  const answer = async () => (await found()).map((address) => ({ address, family: 4 }));
  const lookup = jest.spyOn(dns, 'lookup').mockImplementation(answer as never);
  await work().finally(() => lookup.mockRestore());
};

describe('the check of an address from outside (safeAddress)', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '192.168.0.1',
    '172.20.0.1',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '0.0.0.0',
    '::ffff:7f00:1',
    '::7f00:1',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    'fec0::1',
    'fe80::1%eth0',
    '::1%lo',
    'no address',
    '::ffff:300.0.0.1',
  ])('treats %s as private', (address) => expect(isPrivateAddress(address)).toBe(true));
  it.each(['8.8.8.8', '2606:4700::1111', '172.32.0.1', '::ffff:8.8.8.8', '::ffff:808:808'])(
    'treats %s as public',
    (address) => expect(isPrivateAddress(address)).toBe(false),
  );

  it.each([
    'http://8.8.8.8/a',
    'https://10.0.0.1/a',
    'https://user:pass@8.8.8.8/',
    'https://user@8.8.8.8/',
    'https://:pass@8.8.8.8/',
    'https://[::1]/',
    'file:///etc/passwd',
    'no address',
    'https://localhost/x',
  ])('refuses %s', (url) =>
    expect(safeAddress(url)).rejects.toMatchObject({ kind: 'rejected', code: 'url_not_allowed' }),
  );

  it('refuses a public address where nothing but the list is allowed', async () => {
    const options = { allow: ['https://8.8.8.8/files/'], onlyAllowed: true };
    expect((await safeAddress('https://8.8.8.8/files/a', options)).address).toBe('8.8.8.8');
    for (const url of ['https://8.8.8.8/other', 'https://8.8.4.4/files/a'])
      await expect(safeAddress(url, options)).rejects.toMatchObject(refused);
  });

  it('resolves an allowed address', async () =>
    expect((await safeAddress('https://8.8.8.8/a?b')).address).toBe('8.8.8.8'));

  describe('with a prefix that is allowed', () => {
    const allow = ['http://127.0.0.1:3004/files/'];
    it('accepts addresses below it', async () =>
      expect((await safeAddress('http://127.0.0.1:3004/files/a?b=1', { allow })).address).toBe('127.0.0.1'));

    it.each([
      'http://127.0.0.1:3004/metrics',
      'http://127.0.0.1:3004/files',
      'http://127.0.0.1:3004/files/../metrics',
      'http://127.0.0.1:3004/files/%2e%2e/metrics',
      'http://127.0.0.1:3004/files/..%2Fmetrics',
      'http://127.0.0.1:3004/files/..%5cmetrics',
      'http://127.0.0.1:3005/files/a',
      'https://127.0.0.1:3004/files/a',
      'http://user@127.0.0.1:3004/files/a',
    ])('refuses %s', (url) =>
      expect(safeAddress(url, { allow })).rejects.toMatchObject({ kind: 'rejected', code: 'url_not_allowed' }),
    );
  });

  it('unwraps an IPv6 address from its brackets', async () =>
    expect((await safeAddress('https://[2606:4700::1111]:444/a')).address).toBe('2606:4700::1111'));

  it.each<[string, SafeAddressOptions]>([
    ['http://127.0.0.1:3004/files/a', { allow: ['127.0.0.1:3004'] }],
    ['https://127.0.0.1:3004/files/a', { allow: ['127.0.0.1:3004'] }],
    ['http://127.0.0.1:3004/files/a', { allow: ['other', '127.0.0.1'] }],
  ])('lets allowed hosts be private and plain http: %s', async (url, options) =>
    expect((await safeAddress(url, options)).address).toBe('127.0.0.1'),
  );

  it.each<[string, SafeAddressOptions]>([
    ['http://127.0.0.1:3005/a', { allow: ['127.0.0.1:3004'] }],
    ['ftp://127.0.0.1:3004/a', { allow: ['127.0.0.1:3004'] }],
    ['http://127.0.0.1:3004/a', { allow: ['127.0.0.2', 'http://127.0.0.1:3005/'] }],
    ['https://8.8.8.8/', { protocols: ['http:'] }],
  ])('allows nothing but the configured hosts: %s', (url, options) =>
    expect(safeAddress(url, options)).rejects.toMatchObject(refused),
  );

  it('accepts other protocols when configured', async () =>
    expect((await safeAddress('http://8.8.8.8/', { protocols: ['http:'] })).address).toBe('8.8.8.8'));

  describe('of a host name', () => {
    const resolving = (...addresses: string[]) =>
      withNames(
        () => Promise.resolve(addresses),
        () => expect(safeAddress('https://files.example/')).rejects.toMatchObject(refused),
      );

    it('resolves to the first of its addresses', () =>
      withNames(
        () => Promise.resolve(['8.8.8.8', '8.8.4.4']),
        async () => expect((await safeAddress('https://files.example/')).address).toBe('8.8.8.8'),
      ));

    it('is refused when only one of its addresses is private', () => resolving('8.8.8.8', '10.0.0.1'));

    it('is refused when it has no address', () => resolving());

    it('is refused when it does not resolve', () =>
      withNames(
        () => Promise.reject(new Error('ENOTFOUND')),
        () => expect(safeAddress('https://files.example/')).rejects.toMatchObject(refused),
      ));
  });
});
