import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { Rejected } from '@platform/errors';
import { publicNames } from './public-names';

const closed = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  closed.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  // Forms that embed an IPv4 address to which they are routed: translated, tunnelled
  ['::ffff:0:0:0', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
] as const)
  closed.addSubnet(network, prefix, 'ipv6');

/**
 * True for addresses in a private network, on this machine or of a cloud's metadata service. A `BlockList` unwraps
 * `::ffff:10.0.0.1` by itself.
 */
export const isPrivateAddress = (address: string): boolean => {
  const family = isIP(address);
  return family === 0 || closed.check(address, family === 6 ? 'ipv6' : 'ipv4');
};

/** Where clouds tell the secrets of a machine: all of its links, and the addresses that some use beside them. */
const metadata = new BlockList();
metadata.addSubnet('169.254.0.0', 16, 'ipv4');
metadata.addSubnet('fe80::', 10, 'ipv6');
metadata.addAddress('fd00:ec2::254', 'ipv6');
metadata.addAddress('100.100.100.200', 'ipv4');

/** True for addresses that nobody is sent to, whatever somebody has allowed. */
export const isMetadataAddress = (address: string): boolean =>
  metadata.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

export interface SafeAddressOptions {
  /** What may be private: `host`, `host:port`, or everything below `http://host:port/path/` but not the rest of that host. */
  readonly allow?: readonly string[];
  readonly protocols?: readonly string[];
  /** Nothing but what `allow` lists may be fetched, public or not. */
  readonly onlyAllowed?: boolean;
  /** The addresses of a name; none when it has none. Those that `allow` lists are looked up by the machine itself by default. */
  readonly namesOf?: (host: string) => Promise<readonly string[]>;
}

const notAllowed = (): Rejected => new Rejected('the address is not allowed', { code: 'url_not_allowed' });

/** As the machine knows it: names of a cluster, or of /etc/hosts. */
const ownNames = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/** A server may decode an encoded slash, so a path below a prefix must not contain one. */
const isBelow = ({ origin, pathname }: URL, prefix: string): boolean =>
  (origin + pathname).startsWith(prefix) && !/%(2f|5c)/i.test(pathname);

const isAllowed = (url: URL, allow: readonly string[]): boolean =>
  allow.some((each) => (each.includes('://') ? isBelow(url, each) : each === url.host || each === url.hostname));

/** Undefined unless the URL alone allows it: whom it names is another question. */
const parsedIn = (
  url: string,
  protocols: readonly string[],
  allow: readonly string[],
): { readonly url: URL; readonly allowed: boolean } | undefined => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || parsed.username || parsed.password) return undefined;
  const allowed = isAllowed(parsed, allow);
  return protocols.includes(parsed.protocol) || (allowed && parsed.protocol === 'http:')
    ? { url: parsed, allowed }
    : undefined;
};

const hostOf = ({ hostname }: URL): string => hostname.replace(/[[\]]/g, '');

/**
 * The address that a URL from outside may be fetched from: resolved once here, so that the name cannot resolve elsewhere later
 * (connect to the returned address, keep the host for TLS and the Host header). Throws `Rejected` for other protocols, for
 * credentials in the URL, and when any of the host's addresses is private and the address is not allowed, or of a metadata service.
 */
export const safeAddress = async (
  url: string,
  { allow = [], protocols = ['https:'], onlyAllowed = false, namesOf }: SafeAddressOptions = {},
): Promise<{ url: URL; address: string }> => {
  const { url: parsed, allowed } = parsedIn(url, protocols, allow) ?? {};
  if (!parsed || (onlyAllowed && !allowed)) throw notAllowed();
  const host = hostOf(parsed);
  const addressesOf = namesOf ?? (allowed ? ownNames : publicNames());
  const addresses = isIP(host) ? [host] : await addressesOf(host);
  const [address] = addresses;
  if (!address || addresses.some(allowed ? isMetadataAddress : isPrivateAddress)) throw notAllowed();
  return { url: parsed, address };
};

/** Names that lead to this machine or into its network, whoever answers for them. */
const INNER = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/**
 * Whether a URL that others are to fetch could be of a host that everybody can reach, as far as it tells by itself: no credentials, no
 * private address in any notation, no name of an inner network. Nobody is asked; whoever fetches it uses `safeAddress`.
 */
export const namesPublicHost = (url: string): boolean => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || parsed.username || parsed.password) return false;
  const host = hostOf(parsed).replace(/\.+$/, '');
  return isIP(host) ? !isPrivateAddress(host) : host.includes('.') && !INNER.test(host);
};

/**
 * Whether `safeAddress` could allow a URL, as far as that tells by itself: for one that is kept now and fetched later. Nobody is asked, so
 * whoever fetches it asks `safeAddress` again.
 */
export const couldBeFetched = (
  url: string,
  { allow = [], protocols = ['https:'] }: Pick<SafeAddressOptions, 'allow' | 'protocols'> = {},
): boolean => {
  const parsed = parsedIn(url, protocols, allow);
  if (!parsed) return false;
  return parsed.allowed ? !isMetadataAddress(hostOf(parsed.url)) : namesPublicHost(url);
};
