import { Resolver } from 'node:dns/promises';

export interface PublicNames {
  /** `address:port`; those of the machine when there are none. */
  readonly servers?: readonly string[];
  /** For the first question; the second, to a server that was silent, has twice as long. */
  readonly timeoutMs?: number;
}

/**
 * Looks up names that came from outside, by asking name servers itself: a look-up of the machine takes one of the few threads that a process
 * has for all of its look-ups, so that a handful of names whose servers never answer would keep the whole service from reaching anybody.
 * Resolves to no address where there is none, or nobody tells.
 */
export const publicNames =
  ({ servers = [], timeoutMs = 2_000 }: PublicNames = {}) =>
  async (host: string): Promise<readonly string[]> => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
    if (servers.length > 0) resolver.setServers(servers);
    const told = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return told.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
  };
