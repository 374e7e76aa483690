import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { Rejected } from '@platform/errors';

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

export interface SafeAddressOptions {
  /** What may be private: `host`, `host:port`, or everything below `http://host:port/path/` but not the rest of that host. */
  readonly allow?: readonly string[];
  readonly protocols?: readonly string[];
  /** Nothing but what `allow` lists may be fetched, public or not. */
  readonly onlyAllowed?: boolean;
}

const notAllowed = (): Rejected => new Rejected('the address is not allowed', { code: 'url_not_allowed' });

const resolve = async (host: string): Promise<string[]> =>
  isIP(host) ? [host] : (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/** A server may decode an encoded slash, so a path below a prefix must not contain one. */
const isBelow = ({ origin, pathname }: URL, prefix: string): boolean =>
  (origin + pathname).startsWith(prefix) && !/%(2f|5c)/i.test(pathname);

const isAllowed = (url: URL, allow: readonly string[]): boolean =>
  allow.some((each) => (each.includes('://') ? isBelow(url, each) : each === url.host || each === url.hostname));

/** Throws unless the URL alone allows it: whom it names is another question. */
const read = (url: string, protocols: readonly string[], allow: readonly string[]): { url: URL; allowed: boolean } => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || parsed.username || parsed.password) throw notAllowed();
  const allowed = isAllowed(parsed, allow);
  if (!protocols.includes(parsed.protocol) && !(allowed && parsed.protocol === 'http:')) throw notAllowed();
  return { url: parsed, allowed };
};

/**
 * The address that a URL from outside may be fetched from: resolved once here, so that the name cannot resolve elsewhere later
 * (connect to the returned address, keep the host for TLS and the Host header). Throws `Rejected` for other protocols, for
 * credentials in the URL, and when any of the host's addresses is private and the address is not allowed.
 */
export const safeAddress = async (
  url: string,
  { allow = [], protocols = ['https:'], onlyAllowed = false }: SafeAddressOptions = {},
): Promise<{ url: URL; address: string }> => {
  const { url: parsed, allowed } = read(url, protocols, allow);
  if (onlyAllowed && !allowed) throw notAllowed();
  const addresses = await resolve(parsed.hostname.replace(/[[\]]/g, ''));
  const [address] = addresses;
  if (!address || (!allowed && addresses.some(isPrivateAddress))) throw notAllowed();
  return { url: parsed, address };
};
