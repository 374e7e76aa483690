import { BlockList, isIP } from 'node:net';
import type { Setting } from '@platform/runtime';

/**
 * The setting TRUST_PROXY: proxies whose X-Forwarded-For counts. Production must name them, or say that there are none:
 * behind an unnamed proxy every client has the proxy's address, and all clients share the limits by address.
 */
export const trustedProxies: Setting<readonly string[]> = {
  expects: 'the addresses or networks of the proxies in front, comma separated, or none',
  fallback: [],
  requiredInProduction: true,
  read: (text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '' && entry !== 'none'),
};

/** Addresses and networks, such as those of proxies or of callers that need no token. */
export interface AddressList {
  readonly size: number;
  has(address: string): boolean;
}

export interface AddressListOptions {
  /** Name of the setting, for the error text. */
  readonly setting: string;
  /** Refuses a network that contains every address. */
  readonly production?: boolean;
}

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;

/** An address without its `::ffff:` prefix (how a v6 socket shows a v4 peer) and without zone; undefined when it is none. */
export const plainAddress = (address: string): string | undefined => {
  const bare = address.trim().replace(/%.*$/, '');
  const plain = MAPPED.exec(bare)?.[1] ?? bare;
  return isIP(plain) === 0 ? undefined : plain;
};

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

interface Network {
  readonly address: string;
  readonly prefix: number;
}

const networkOf = (entry: string): Network | undefined => {
  const [text = '', prefixText, ...rest] = entry.split('/');
  const address = plainAddress(text);
  if (!address || rest.length > 0) return undefined;
  const bits = family(address) === 'ipv4' ? 32 : 128;
  if (prefixText === undefined) return { address, prefix: bits };
  // A mapped network counts its prefix from the start of the v6 address.
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) - (MAPPED.test(text.trim()) ? 96 : 0) : -1;
  return prefix >= 0 && prefix <= bits ? { address, prefix } : undefined;
};

/**
 * Exact addresses and CIDR networks of v4 and v6. An empty list contains no address; loopback is never implied, because a sidecar
 * can make every peer look like loopback. Throws an Error that names the setting and the entry when an entry is neither,
 * and in production when a network contains every address.
 */
export const ipAllowlist = (
  list: string | readonly string[],
  { setting, production = false }: AddressListOptions,
): AddressList => {
  const entries = (typeof list === 'string' ? list.split(',') : [...list]).map((entry) => entry.trim()).filter(Boolean);
  const blocks = new BlockList();
  for (const entry of entries) {
    const network = networkOf(entry);
    if (!network) throw new Error(`${setting}: "${entry}" is neither an address nor a network such as 10.0.0.0/8`);
    if (production && network.prefix === 0)
      throw new Error(`${setting}: "${entry}" would let everybody in; name the networks of the callers`);
    blocks.addSubnet(network.address, network.prefix, family(network.address));
  }
  return {
    size: entries.length,
    has: (address) => {
      const plain = entries.length > 0 ? plainAddress(address) : undefined;
      return plain !== undefined && blocks.check(plain, family(plain));
    },
  };
};

/** `1.2.3.4:5678` and `[::1]:5678`, as some load balancers write hops, without the port. */
const withoutPort = (hop: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(hop)?.[1] ?? hop;

/**
 * The address a request came from: the peer's own, or, when the peer is a trusted proxy, the right-most hop of
 * X-Forwarded-For that is not one. Hops to its left are claims of the client and never count, nor does the header
 * of a peer that is no trusted proxy. A hop that is no address ends the walk.
 */
export const clientAddress = (
  {
    remoteAddress = '',
    forwardedFor,
  }: { readonly remoteAddress?: string; readonly forwardedFor?: string | readonly string[] },
  trustedProxies: AddressList,
): string => {
  let address = plainAddress(remoteAddress) ?? remoteAddress;
  const header = typeof forwardedFor === 'string' ? forwardedFor : (forwardedFor ?? []).join(',');
  const hops = header.split(',').map((hop) => withoutPort(hop.trim()));
  while (trustedProxies.has(address)) {
    const hop = plainAddress(hops.pop() ?? '');
    if (!hop) break;
    address = hop;
  }
  return address;
};
