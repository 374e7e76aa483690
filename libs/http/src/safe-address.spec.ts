import { isPrivateAddress, safeAddress } from './safe-address';

describe('safeAddress', () => {
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
  ])('calls %s private', (address) => expect(isPrivateAddress(address)).toBe(true));
  it.each(['8.8.8.8', '2606:4700::1111', '172.32.0.1'])('calls %s public', (address) =>
    expect(isPrivateAddress(address)).toBe(false),
  );

  it.each([
    'http://8.8.8.8/a',
    'https://10.0.0.1/a',
    'https://user:pass@8.8.8.8/',
    'https://[::1]/',
    'file:///etc/passwd',
    'no address',
    'https://localhost/x',
  ])('refuses %s', (url) =>
    expect(safeAddress(url)).rejects.toMatchObject({ kind: 'rejected', code: 'url_not_allowed' }),
  );

  it('resolves what may be fetched', async () =>
    expect((await safeAddress('https://8.8.8.8/a?b')).address).toBe('8.8.8.8'));

  describe('with a prefix that is allowed', () => {
    const allow = ['http://127.0.0.1:3004/files/'];
    it('takes what is below it', async () =>
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

  it('lets allowed hosts be private and plain http', async () =>
    expect((await safeAddress('http://127.0.0.1:3004/files/a', { allow: ['127.0.0.1:3004'] })).address).toBe(
      '127.0.0.1',
    ));
});
