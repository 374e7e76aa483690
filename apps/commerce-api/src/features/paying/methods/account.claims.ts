import type { Sql } from '@platform/data';
import { createHash } from 'node:crypto';
import type { GatewayCode } from './method.rules';

/** By which of its credentials an account says in a notice whose it is. */
const NAMED_BY = { a: 'client_id', b: 'callback_token', c: 'merchant' } as const;

/** Of the name alone: who reads the table learns no token. Two stores may have one account, so it is a kind of its own with their ids. */
const kindOf = (code: GatewayCode, name: string): string =>
  `pay_${code} ${createHash('sha256').update(name).digest('hex')}`;

const FORGET = `DELETE FROM global_key WHERE value = $1
  AND kind = (SELECT m.account_key FROM payment_method m WHERE m.store_id = $1 AND m.code = $2)`;
const CLAIM = `
  WITH known AS (UPDATE payment_method SET account_key = $3::text WHERE store_id = $1 AND code = $2)
  INSERT INTO global_key (kind, value, store_id, ref_id) SELECT $3::text, $1::text, $1::text, $2::text WHERE $3::text IS NOT NULL ON CONFLICT DO NOTHING`;
const STORES = `SELECT store_id FROM global_key WHERE kind = $1`;

/** Which stores have an account of their own with a gateway, found by what its notices say of themselves. */
export const accountClaims = {
  /** `credentials`: as JSON; null: the store has none there any more. In the transaction that writes them, under the lock of the store. */
  replace: async (tx: Sql, storeId: string, code: GatewayCode, credentials: string | null): Promise<void> => {
    const name = credentials === null ? undefined : accountName(code, JSON.parse(credentials) as Credentials);
    await tx.query(FORGET, [storeId, code]);
    await tx.query(CLAIM, [storeId, code, name === undefined ? null : kindOf(code, name)]);
  },
  /** Stores that have entered the account of this name. */
  storesOf: async (sql: Sql, code: GatewayCode, name: string): Promise<string[]> => {
    const rows = await sql.prepared<{ store_id: string }>('stores of an account', STORES, [kindOf(code, name)]);
    return rows.map(({ store_id }) => store_id);
  },
} as const;

type Credentials = Readonly<Record<string, string>>;

/** By what an account is known again when some of its credentials are new: two of them are never renewed at once. */
const SAME_BY: Readonly<Record<GatewayCode, readonly string[]>> = {
  ...{ a: [NAMED_BY.a], b: [NAMED_BY.b, 'key'], c: [NAMED_BY.c] },
};

/** Whether other credentials, as JSON, are those of the same account; null: of none. */
export const isSameAccount = (code: GatewayCode, before: Credentials, after: string | null): boolean => {
  if (after === null) return false;
  const given = JSON.parse(after) as Credentials;
  return SAME_BY[code].some((name) => given[name] === before[name]);
};

/** How an account names itself in its notices. */
export const accountName = (code: GatewayCode, credentials: Credentials): string => credentials[NAMED_BY[code]] ?? '';
