import { isIPv4, isIPv6 } from 'node:net';

/**
 * What counts as one address: IPv4 as it is, also when mapped into IPv6 by a dual-stack listener; IPv6 by its /64, because
 * a subscriber has at least that many addresses (RFC 6177; the usual unit of rate limits).
 */
export const addressGroup = (address: string): string => {
  const bare = address.replace(/%.*$/, '').replace(/^::ffff:(?=[\d.]+$)/i, '');
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return address;
  // The URL parser normalises every IPv6 address (RFC 5952), without dotted endings
  const [head = '', tail] = new URL(`http://[${bare}]`).hostname.slice(1, -1).split('::');
  const front = head ? head.split(':') : [];
  const back = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
};
