import { Resolver } from 'node:dns/promises';

/** What a name has in the DNS. Each throws `DnsUnavailable` when nobody can tell; a name that does not exist has nothing. */
export interface DnsRecords {
  txt(name: string): Promise<readonly string[]>;
  /** In small letters, without the dot at the end. */
  cname(name: string): Promise<readonly string[]>;
  /** IPv4 and IPv6. */
  addresses(name: string): Promise<readonly string[]>;
}

/** No name server has answered: that says nothing about the name. */
export class DnsUnavailable extends Error {}

const TIMEOUT_MS = 2_000;
const TRIES = 2;
/** The name, or the kind of record, does not exist. */
const NOTHING: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

const orNothing = async <T>(asked: Promise<T[]>): Promise<T[]> =>
  asked.catch((cause: NodeJS.ErrnoException) => {
    if (NOTHING.has(cause.code)) return [];
    throw new DnsUnavailable('no name server has answered', { cause });
  });

/** Asks these name servers, `address:port`; those of the machine when there are none. */
export const dnsRecords = (servers: readonly string[]): DnsRecords => {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    txt: async (name) => (await orNothing(resolver.resolveTxt(name))).map((parts) => parts.join('')),
    cname: async (name) =>
      (await orNothing(resolver.resolveCname(name))).map((target) => target.toLowerCase().replace(/\.$/, '')),
    addresses: async (name) => {
      const [four, six] = await Promise.all([orNothing(resolver.resolve4(name)), orNothing(resolver.resolve6(name))]);
      return [...four, ...six];
    },
  };
};
