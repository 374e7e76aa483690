import {
  isMetadataAddress,
  isPrivateAddress,
  couldBeFetched,
  namesPublicHost,
  safeAddress,
  type SafeAddressOptions,
} from './safe-address';

const refused = { kind: 'rejected', code: 'url_not_allowed', message: 'the address is not allowed' };

it.each([
  ['169.254.169.254', true],
  ['::ffff:169.254.169.254', true],
  ['fd00:ec2::254', true],
  ['fe80::a9fe:a9fe', true],
  ['100.100.100.200', true],
  ['127.0.0.1', false],
  ['10.0.0.1', false],
  ['fd00::1', false],
])('%s is the address of a metadata service: %s', (address, isOne) => expect(isMetadataAddress(address)).toBe(isOne));

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
    'fd00:ec2::254',
    '::',
    '100.100.100.200',
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

  it.each([
    ['decimal', 'https://2130706433/'],
    ['octal', 'https://0177.0.0.1/'],
    ['octal without dots', 'https://017700000001/'],
    ['hexadecimal', 'https://0x7f.0.0.1/'],
    ['hexadecimal without dots', 'https://0x7f000001/'],
    ['with parts left out', 'https://127.1/'],
    ['with a dot behind it', 'https://127.0.0.1./'],
    ['in wide digits', 'https://①②⑦.0.0.1/'],
    ['percent-encoded', 'https://%31%32%37.0.0.1/'],
    ['of the metadata service in decimal', 'https://2852039166/latest/meta-data/'],
    ['mapped into IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['mapped in hexadecimal', 'https://[::ffff:7f00:1]/'],
    ['tunnelled by 6to4', 'https://[2002:7f00:0001::]/'],
    ['translated by NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['of this link', 'https://[fe80::1]/'],
    ['of every address', 'https://0.0.0.0/'],
    ['of every address, short', 'https://0/'],
    ['of every address in IPv6', 'https://[::]/'],
    ['of the metadata service in IPv6', 'https://[fd00:ec2::254]/'],
    ['at another port', 'https://127.0.0.1:8443/'],
    ['in a soft hyphen', 'https://127.0.0\u00ad.1/'],
    ['behind a public name in the credentials', 'https://files.example@127.0.0.1/'],
    ['behind a backslash', 'https:\\\\127.0.0.1\\@files.example/'],
  ])('refuses this machine written otherwise: %s', (_, url) => expect(safeAddress(url)).rejects.toMatchObject(refused));

  it('is the address of the name that its own resolver tells', async () => {
    const asked: string[] = [];
    const namesOf = async (host: string) => (asked.push(host), ['8.8.8.8']);
    expect((await safeAddress('https://files.example./a', { namesOf })).address).toBe('8.8.8.8');
    expect(asked).toEqual(['files.example.']);
  });

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

  it.each(['http://169.254.169.254/', 'http://[::ffff:a9fe:a9fe]/', 'http://[fd00:ec2::254]/'])(
    'is never that of a metadata service, whatever is allowed: %s',
    (url) => expect(safeAddress(url, { allow: [new URL(url).hostname] })).rejects.toMatchObject(refused),
  );

  it('accepts other protocols when configured', async () =>
    expect((await safeAddress('http://8.8.8.8/', { protocols: ['http:'] })).address).toBe('8.8.8.8'));

  describe('of a host name', () => {
    const checked = (...addresses: string[]) =>
      safeAddress('https://files.example/', { namesOf: () => Promise.resolve(addresses) });

    it('resolves to the first of its addresses', async () =>
      expect((await checked('8.8.8.8', '8.8.4.4')).address).toBe('8.8.8.8'));

    it.each([
      ['only one of its addresses is private', ['8.8.8.8', '10.0.0.1']],
      ['only one of its addresses is on this link', ['2606:4700::1111', 'fe80::1']],
      ['it leads to a metadata service', ['fd00:ec2::254']],
      ['it has no address', []],
    ])('is refused when %s', (_, addresses) => expect(checked(...addresses)).rejects.toMatchObject(refused));

    it.each(['https://nobody.invalid/', 'https://nobody.invalid./', 'https://localhost./'])(
      'is refused when nobody knows it: %s',
      (url) => expect(safeAddress(url)).rejects.toMatchObject(refused),
    );

    it('that is allowed is looked up by the machine', async () =>
      expect((await safeAddress('http://localhost:3004/', { allow: ['localhost'] })).url.host).toBe('localhost:3004'));
  });
});

it.each([
  ['https://cdn.example/a.jpg', true],
  ['http://8.8.8.8/a.jpg', true],
  ['https://[2606:4700::1111]/a.jpg', true],
  ['https://user@cdn.example/a.jpg', false],
  ['https://127.0.0.1/a.jpg', false],
  ['https://2130706433/a.jpg', false],
  ['https://0177.1/a.jpg', false],
  ['https://0x7f.1/a.jpg', false],
  ['https://169.254.169.254/latest/meta-data/', false],
  ['https://[::ffff:10.0.0.1]/a.jpg', false],
  ['https://[2002:a00:1::]/a.jpg', false],
  ['https://[64:ff9b::a00:1]/a.jpg', false],
  ['https://localhost./a.jpg', false],
  ['https://localhost../a.jpg', false],
  ['https://files.internal/a.jpg', false],
  ['https://metadata.google.internal/', false],
  ['https://commerce-api/a.jpg', false],
  ['no address', false],
])('%s names a public host: %s', (url, isPublic) => expect(namesPublicHost(url)).toBe(isPublic));

it.each<[string, boolean, SafeAddressOptions]>([
  ['https://files.example/a', true, {}],
  ['https://8.8.8.8/a', true, {}],
  ['http://files.example/a', false, {}],
  ['ftp://files.example/a', false, {}],
  ['https://user@files.example/a', false, {}],
  ['https://2130706433/', false, {}],
  ['https://[2002:7f00:1::]/', false, {}],
  ['https://localhost/', false, {}],
  ['http://127.0.0.1:3004/a', true, { allow: ['127.0.0.1:3004'] }],
  ['http://169.254.169.254/a', false, { allow: ['169.254.169.254'] }],
  ['http://files.example/a', true, { protocols: ['http:'] }],
])('%s could be fetched: %s', (url, could, options) => expect(couldBeFetched(url, options)).toBe(could));
