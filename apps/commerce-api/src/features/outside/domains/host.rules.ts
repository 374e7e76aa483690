import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import { parse } from 'tldts';
import { isReserved } from '../../../reserved.words';

const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** As it stands in certificates and Host headers: small letters, punycode, without port and final dot; undefined when it is no name. */
export const plainHost = (given: string): string | undefined => {
  const host = domainToASCII(given.trim().replace(/:\d*$/, '')).replace(/\.$/, '');
  const isName = host.length <= 253 && isIP(host) === 0 && host.split('.').every((label) => LABEL.test(label));
  return isName && host !== '' ? host : undefined;
};

const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

/** What is wrong with a host that a store calls its own; `ours` are the platform's. Suffixes are those of the Public Suffix List. */
export const faultOfHost = (given: string, ours: readonly string[]): string | undefined => {
  const host = /[:/@\\?#\s]/.test(given.trim()) ? undefined : plainHost(given);
  if (host === undefined) return 'must be the name of a host, such as shop.example.com';
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  if (domain === null) return 'must be below a public suffix: anybody could have this one';
  if (!isIcann && !isPrivate) return 'must end in a public top level domain';
  return ours.some((own) => isUnder(host, own) || isUnder(own, host))
    ? 'must not be a domain of the platform'
    : undefined;
};

/** Why a store cannot be found under it whoever else has it; undefined: it can. */
export const faultOfSubdomain = (subdomain: string): 'invalid' | 'reserved' | undefined => {
  if (!LABEL.test(subdomain) || /^..--/.test(subdomain)) return 'invalid';
  return isReserved(subdomain) ? 'reserved' : undefined;
};
