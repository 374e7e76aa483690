import type { Sql } from '@platform/data';
import type { Guard, RequestView } from '@platform/http';
import { LruCache, type Clock } from '@platform/runtime';
import { isReserved } from '../../../reserved.words';
import { plainHost } from './host.rules';
import { storeAt } from './host.store';
import { namesShop, shopNamedBy } from './named.shops';

const BOUND = `SELECT FROM global_key WHERE kind = 'host' AND value = $1`;
/** What of a shop stands at the root of its own host. */
const AT_ROOT = /^\/(?:(?:products|pages)\/[^/]+|products|cart)?$/;
/** No shop's slug. */
const NOBODY = '-';
/** A host that was bound or let go is treated as such everywhere within this time. */
const REMEMBERED = { limit: 10_000, ttlMs: 10_000 };

export interface MerchantHostsParts {
  readonly sql: Sql;
  readonly clock: Clock;
  /** Hosts of the platform itself. */
  readonly ours: readonly string[];
  readonly shopDomain: string | undefined;
}

/** Which hosts belong to merchants: on them the shop is served, and nothing by which it is run. */
export class MerchantHosts {
  private readonly known: LruCache<string, boolean>;

  constructor(private readonly parts: MerchantHostsParts) {
    this.known = new LruCache({ ...REMEMBERED, clock: parts.clock });
  }

  /** The platform's own hosts, addresses and names of the cluster are told without a query. */
  async isMerchant(given: string | undefined): Promise<boolean> {
    const { ours, shopDomain } = this.parts;
    if (given === undefined || ours.includes(given)) return false;
    const host = plainHost(given);
    if (host === undefined || !host.includes('.') || ours.includes(host)) return false;
    if (shopDomain !== undefined && host.endsWith(`.${shopDomain}`))
      return !isReserved(host.slice(0, -shopDomain.length - 1));
    return this.isBound(host);
  }

  /** What of the service is not there for a request: on a merchant's host all but what buyers need, and all of other merchants. */
  hides(
    request: Pick<RequestView, 'path' | 'headers' | 'params'>,
    guard: Pick<Guard<unknown>, 'label'>,
  ): Promise<boolean> | false {
    const { path, headers } = request;
    if (!isForBuyers(guard, path)) return this.isMerchant(headers.host);
    return namesShop(request) && this.isOfAnother(headers.host, request);
  }

  /** Under a host that people trust nobody else's shop is to be shown. */
  private async isOfAnother(host: string | undefined, request: Pick<RequestView, 'path' | 'params'>): Promise<boolean> {
    if (host === undefined || !(await this.isMerchant(host))) return false;
    const { sql, shopDomain } = this.parts;
    const [store, named] = [await storeAt(sql, shopDomain, host), await shopNamedBy(sql, request)];
    return named !== undefined && named !== store?.store_id;
  }

  /** Where a page at the root of a merchant's host is found: among those of their shop. */
  leads({
    method,
    path,
    headers,
  }: Pick<RequestView, 'method' | 'path' | 'headers'>): Promise<string | undefined> | undefined {
    const isRead = method === 'GET' || method === 'HEAD';
    return isRead && AT_ROOT.test(path) ? this.inShop(headers.host, path) : undefined;
  }

  private async inShop(host: string | undefined, path: string): Promise<string | undefined> {
    if (host === undefined || !(await this.isMerchant(host))) return undefined;
    const { sql, shopDomain } = this.parts;
    const { slug = NOBODY } = (await storeAt(sql, shopDomain, host)) ?? {};
    return `/s/${slug}${path === '/' ? '' : path}`;
  }

  private async isBound(host: string): Promise<boolean> {
    const known = this.known.get(host);
    if (known !== undefined) return known;
    const bound = (await this.parts.sql.query(BOUND, [host])).length > 0;
    this.known.set(host, bound);
    return bound;
  }
}

/** By which staff sign in, or become staff. */
const OF_STAFF = /^\/(?:api\/auth\/|api\/team\/|invitation\/)/;
/** Open routes and links, but for those. */
const isForBuyers = ({ label }: Pick<Guard<unknown>, 'label'>, path: string): boolean =>
  (label === 'none' || label === 'none+link') && !OF_STAFF.test(path);
