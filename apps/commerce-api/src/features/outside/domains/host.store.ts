import type { Sql } from '@platform/data';
import { isReserved } from '../../../reserved.words';
import type { ResolvedHost } from './domains.dto';
import { plainHost } from './host.rules';

const BY_SLUG = `
  SELECT s.store_id, s.slug FROM global_key k JOIN store s ON s.store_id = k.store_id
  WHERE k.kind = 'slug' AND k.value = $1 AND s.status <> 'suspended'`;
const BY_HOST = `
  SELECT s.store_id, s.slug FROM global_key k JOIN store s ON s.store_id = k.store_id
  WHERE k.kind = 'host' AND k.value = $1 AND s.status <> 'suspended'`;

/** The label of a host right below the domain; none of the platform's own words, at which no shop is served. */
const labelUnder = (host: string, domain: string | undefined): string | undefined => {
  if (domain === undefined || !host.endsWith(`.${domain}`)) return undefined;
  const label = host.slice(0, -domain.length - 1);
  return label.includes('.') || isReserved(label) ? undefined : label;
};

/** The store that a host leads to, while it is not suspended. */
export const storeAt = async (
  sql: Sql,
  shopDomain: string | undefined,
  given: string,
): Promise<Omit<ResolvedHost, 'kind'> | undefined> => {
  const host = plainHost(given);
  if (host === undefined) return undefined;
  const label = labelUnder(host, shopDomain);
  const [found] = label
    ? await sql.prepared<ResolvedHost>('store by its name', BY_SLUG, [label])
    : await sql.prepared<ResolvedHost>('store by its host', BY_HOST, [host]);
  return found;
};
