import { faultOfHost, faultOfSubdomain, plainHost } from './host.rules';

const OURS = ['app.platform.test', 'shops.id'];
const NO_NAME = 'must be the name of a host, such as shop.example.com';
const SUFFIX = 'must be below a public suffix: anybody could have this one';
const NOT_PUBLIC = 'must end in a public top level domain';
const OWN = 'must not be a domain of the platform';

it.each([
  ['shop.example.com', 'shop.example.com'],
  ['Shop.Example.COM.', 'shop.example.com'],
  ['shop.example.com:443', 'shop.example.com'],
  ['shop.example.com:', 'shop.example.com'],
  ['shop.example.com.:443', 'shop.example.com'],
  ['shop.example.com..', undefined],
  ['user@shop.example.com', undefined],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['127.0.0.1', undefined],
  ['2130706433', undefined],
  ['[::1]', undefined],
  ['a b.example', undefined],
  ['-a.example', undefined],
  ['a..example', undefined],
  [`${'a'.repeat(64)}.example`, undefined],
  ['', undefined],
])('the host %s is %s', (given, host) => expect(plainHost(given)).toBe(host));

describe('a host of a store', () => {
  it.each(['shop.example.com', 'example.com', 'toko.co.id', 'www.toko.co.id', 'toko.my.id', 'bücher.de', 'TOKO.ID.'])(
    'can be %s',
    (host) => expect(faultOfHost(host, OURS)).toBeUndefined(),
  );

  it.each([
    ['com', SUFFIX],
    ['co.id', SUFFIX],
    ['my.id', SUFFIX],
    ['github.io', SUFFIX],
    ['localhost', SUFFIX],
    ['shop.internal', NOT_PUBLIC],
    ['shop.local', NOT_PUBLIC],
    ['app.platform.test', NOT_PUBLIC],
    ['toko.shops.id', OWN],
    ['shops.id', OWN],
    ['10.0.0.1', NO_NAME],
    ['0x7f.1', NO_NAME],
    ['[::1]', NO_NAME],
    ['shop.example.com:8080', NO_NAME],
    ['https://shop.example.com', NO_NAME],
    ['user@shop.example.com', NO_NAME],
    ['javascript:alert(1)', NO_NAME],
    ['shop_.example.com', NO_NAME],
    ['*.example.com', NO_NAME],
  ])('cannot be %s', (host, fault) => expect(faultOfHost(host, OURS)).toBe(fault));
});

it.each([
  ['toko-nusa', undefined],
  ['www', 'reserved'],
  ['admin', 'reserved'],
  ['-toko', 'invalid'],
  ['toko-', 'invalid'],
  ['xn--toko', 'invalid'],
])('the subdomain %s is %s', (subdomain, fault) => expect(faultOfSubdomain(subdomain)).toBe(fault));
