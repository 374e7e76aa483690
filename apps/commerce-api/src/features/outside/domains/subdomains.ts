import type { Database, Sql, Transaction } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { audited, type Writer } from '../../../by';
import type { ResolvedHost, Subdomain, SubdomainFree } from './domains.dto';
import { faultOfSubdomain } from './host.rules';
import { storeAt } from './host.store';

/** Former names still lead to the store, so that printed links do not end at somebody else's; beyond these the oldest is let go. */
const MOST_NAMES = 4;

export const subdomainRefusals = {
  taken: (): Failure => new Conflict('The subdomain belongs to another shop', { code: 'host_taken' }),
} as const;

const SLUG = 'SELECT slug FROM store WHERE store_id = $1';
const HOLDER = `SELECT store_id FROM global_key WHERE kind = 'slug' AND value = $1`;
const CLAIM = `
  INSERT INTO global_key (kind, value, store_id, ref_id) VALUES ('slug', $2, $1::text, $1::text)
  ON CONFLICT (kind, value) DO UPDATE SET ref_id = global_key.ref_id WHERE global_key.store_id = $1 RETURNING 1`;
const RENAME = 'UPDATE store SET slug = $2, updated_at = $3 WHERE store_id = $1';
const REMEMBER = `
  INSERT INTO store_name (store_id, slug, since) VALUES ($1, $2, $3) ON CONFLICT (store_id, slug) DO UPDATE SET since = $3`;
/** All but the newest: $1 store, $2 how many stay. */
const FORGET = `
  WITH old AS (
    DELETE FROM store_name WHERE store_id = $1 AND slug IN (
      SELECT slug FROM store_name WHERE store_id = $1 ORDER BY since DESC, slug OFFSET $2) RETURNING slug
  )
  DELETE FROM global_key WHERE kind = 'slug' AND store_id = $1 AND value IN (SELECT slug FROM old)`;

interface Parts {
  readonly database: Pick<Database, 'tx'> & Sql;
  /** Below it each store has its subdomain; undefined: none has. */
  readonly shopDomain: string | undefined;
}

const nameOf = async (sql: Sql, storeId: string): Promise<string> => {
  const [row] = await sql.query<{ slug: string }>(SLUG, [storeId]);
  if (!row) throw new NotFound('Store not found');
  return row.slug;
};

/** Under which subdomain of the platform a shop is found: the name that its pages have too. */
export class Subdomains {
  constructor(private readonly parts: Parts) {}

  async get(storeId: string): Promise<Subdomain> {
    return this.shown(await nameOf(this.parts.database, storeId));
  }

  /** Whether the store could have it; its own names it can. */
  async isFree(storeId: string, subdomain: string): Promise<SubdomainFree> {
    const fault = faultOfSubdomain(subdomain);
    if (fault !== undefined) return { available: false, reason: fault };
    const [holder] = await this.parts.database.query<{ store_id: string }>(HOLDER, [subdomain]);
    const taken = holder !== undefined && holder.store_id !== storeId;
    return taken ? { available: false, reason: 'taken' } : { available: true, reason: null };
  }

  /** Throws `InvalidInput` for what nobody can have, and `Conflict` for what another has. */
  async change(by: Writer, subdomain: string): Promise<Subdomain> {
    if (faultOfSubdomain(subdomain) !== undefined)
      throw new InvalidInput([
        { field: 'subdomain', tag: 'subdomain', message: 'subdomain must be another: this one is reserved or no name' },
      ]);
    await this.parts.database.tx((tx) => this.rename(tx, by, subdomain));
    return this.shown(subdomain);
  }

  /** For the ingress: the store that a host leads to. Throws `NotFound`. */
  async resolve(given: string): Promise<ResolvedHost> {
    const { database, shopDomain } = this.parts;
    const found = await storeAt(database, shopDomain, given);
    if (!found) throw new NotFound('Host not found');
    return { ...found, kind: 'store' };
  }

  private shown(subdomain: string): Subdomain {
    const { shopDomain } = this.parts;
    return { subdomain, host: shopDomain === undefined ? null : `${subdomain}.${shopDomain}` };
  }

  private async rename(tx: Transaction, by: Writer, subdomain: string): Promise<void> {
    const before = await tx.query<{ slug: string }>(`${SLUG} FOR UPDATE`, [by.storeId]);
    const slug = before[0]?.slug;
    if (slug === undefined || slug === subdomain) return;
    if ((await tx.query(CLAIM, [by.storeId, subdomain])).length === 0) throw subdomainRefusals.taken();
    await tx.query(REMEMBER, [by.storeId, slug, by.at]);
    await tx.query('DELETE FROM store_name WHERE store_id = $1 AND slug = $2', [by.storeId, subdomain]);
    await tx.query(RENAME, [by.storeId, subdomain, by.at]);
    await tx.query(FORGET, [by.storeId, MOST_NAMES]);
    const names = { before: { slug }, after: { slug: subdomain } };
    await audited(tx, by, { action: 'domain.write', type: 'store', id: by.storeId, ...names });
  }
}
