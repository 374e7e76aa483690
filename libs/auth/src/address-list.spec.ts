import { clientAddress, ipAllowlist, plainAddress } from './address-list';

const list = (entries: string) => ipAllowlist(entries, { setting: 'ALLOWED_IPS' });

describe('an address list', () => {
  it.each([
    ['10.1.2.3', '10.1.2.3', true],
    ['10.1.2.3', '10.1.2.4', false],
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', true],
    ['::ffff:10.0.0.0/104', '10.9.9.9', true],
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['fe80::1', 'fe80::1%eth0', true],
    ['192.168.0.1 , 10.0.0.0/8', '10.0.0.1', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['0.0.0.0/0', '::1', false],
    ['10.0.0.1/32', '10.0.0.1', true],
    ['2001:db8::/64', '2001:db8::1', true],
    ['::ffff:10.0.0.0 /104', '10.9.9.9', true],
    ['10.0.0.1', ' 10.0.0.1 ', true],
    ['10.0.0.0/8', 'no address', false],
    ['10.0.0.0/8', '', false],
  ])('%j contains %j: %s', (entries, address, held) => expect(list(entries).has(address)).toBe(held));

  it('an empty address list contains no address, not even loopback', () => {
    for (const empty of ['', ' , '])
      expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', ''].some((address) => list(empty).has(address))).toBe(false);
  });

  it.each([
    'localhost',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/x8',
    '10.0.0.0/8x',
    '10.0.0.0/8/8',
    '2001:db8::/129',
    '010.0.0.1',
    '::ffff:10.0.0.0/95',
  ])('an address list refuses %j and names the setting', (entry) => {
    expect(() => list(entry)).toThrow(`ALLOWED_IPS: "${entry}" is neither an address nor a network such as 10.0.0.0/8`);
  });

  it.each(['0.0.0.0/0', '::/0', '::ffff:0.0.0.0/96'])('an address list refuses %s in production', (entry) => {
    expect(() => ipAllowlist(entry, { setting: 'ALLOWED_IPS', production: true })).toThrow(
      `ALLOWED_IPS: "${entry}" would let everybody in`,
    );
  });

  it('an address list in production contains the networks it names', () =>
    expect(ipAllowlist('10.0.0.0/8', { setting: 'ALLOWED_IPS', production: true }).has('10.1.2.3')).toBe(true));
});

describe('the address of a client', () => {
  const proxies = list('10.0.0.0/8, 2001:db8::/32');
  const from = (remoteAddress: string, forwardedFor?: string | string[]) =>
    clientAddress({ remoteAddress, forwardedFor }, proxies);

  it('the client is the peer itself when the peer is no trusted proxy, whatever it claims', () => {
    expect(from('203.0.113.9', '10.0.0.1')).toBe('203.0.113.9');
    expect(clientAddress({ remoteAddress: '::ffff:203.0.113.9', forwardedFor: '1.1.1.1' }, list(''))).toBe(
      '203.0.113.9',
    );
  });

  it('the client is what the trusted proxy appended, not what the client wrote before it', () => {
    expect(from('10.0.0.1', '198.51.100.1')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '127.0.0.1, 10.9.9.9, 198.51.100.1')).toBe('198.51.100.1');
    expect(from('10.0.0.1', ['127.0.0.1', '198.51.100.1'])).toBe('198.51.100.1');
  });

  it('the client is found behind a chain of trusted proxies', () => {
    expect(from('::ffff:10.0.0.1', '6.6.6.6, 198.51.100.1, 10.0.0.7, 2001:db8::2')).toBe('198.51.100.1');
  });

  it('the client is the outermost proxy when no other hop is known, or a hop is garbage', () => {
    expect(from('10.0.0.1')).toBe('10.0.0.1');
    expect(from('10.0.0.1', '10.0.0.2, 10.0.0.3')).toBe('10.0.0.2');
    expect(from('10.0.0.1', '198.51.100.1, unknown')).toBe('10.0.0.1');
    expect(clientAddress({}, proxies)).toBe('');
  });

  it("the client's address may be written with a port", () => {
    expect(from('10.0.0.1', '198.51.100.1:4711')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '6.6.6.6, 198.51.100.1:4711 ')).toBe('198.51.100.1');
    expect(from('10.0.0.1', '[2001:db9::1]:4711')).toBe('2001:db9::1');
    expect(from('10.0.0.1', '[2001:db9::1]')).toBe('2001:db9::1');
    for (const garbage of ['x198.51.100.1:4711', '198.51.100.1:4711x', 'x[2001:db9::1]:4711', '[2001:db9::1]:4711x'])
      expect(from('10.0.0.1', garbage)).toBe('10.0.0.1');
  });
});

it('an address is unwrapped from its IPv4-mapped form', () => {
  expect(['::ffff:1.2.3.4', '::FFFF:1.2.3.4', 'fe80::1%en0', '1.2.3.4', '1.2.3', 'x'].map(plainAddress)).toEqual([
    '1.2.3.4',
    '1.2.3.4',
    'fe80::1',
    '1.2.3.4',
    undefined,
    undefined,
  ]);
});
