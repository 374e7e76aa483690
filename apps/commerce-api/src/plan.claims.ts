import type { Sql } from '@platform/data';
import { limits, type Metric } from './limits';

/** A thing that another service owns and the plan of a store counts. */
export interface Claimed {
  readonly storeId: string;
  readonly metric: Metric;
  /** The id that it has at its owner. */
  readonly id: string;
}

const TAKE = `
  INSERT INTO plan_claim AS c (store_id, metric, ref_id, open, claimed_at) VALUES ($1, $2, $3, true, $4)
  ON CONFLICT (store_id, metric, ref_id) DO UPDATE SET claimed_at = greatest(excluded.claimed_at, c.claimed_at + interval '1 ms')
  RETURNING xmax = 0 AS fresh`;
const SETTLE = 'UPDATE plan_claim SET open = false WHERE store_id = $1 AND metric = $2 AND ref_id = $3 AND open';
const REOPEN = 'UPDATE plan_claim SET open = true WHERE store_id = $1 AND metric = $2 AND ref_id = $3';
const DROP = `
  DELETE FROM plan_claim WHERE store_id = $1 AND metric = $2 AND ref_id = $3 AND claimed_at = coalesce($4, claimed_at)
  RETURNING 1 AS gone`;
const FIND = `SELECT open, claimed_at AS at FROM plan_claim WHERE store_id = $1 AND metric = $2 AND ref_id = $3`;
const OPEN = `SELECT ref_id AS id FROM plan_claim WHERE store_id = $1 AND metric = $2 AND ref_id = ANY ($3) AND open`;

const keyOf = ({ storeId, metric, id }: Claimed): string[] => [storeId, metric, id];

/**
 * What a plan counts of things that other services own, each once by its id, whatever becomes of the calls in between (ADR 134). A claim
 * holds nothing of the thing but its id.
 */
export const planClaims = {
  /** Counts the thing unless it is counted; true when it was not. Throws `PaymentRequired` when that is one too many. */
  async take(tx: Sql, claimed: Claimed, at: Date): Promise<boolean> {
    const [row] = await tx.query<{ fresh: boolean }>(TAKE, [...keyOf(claimed), at]);
    if (row?.fresh) await limits.require(tx, claimed.storeId, claimed.metric);
    return row?.fresh === true;
  },

  /** The owner has the thing. */
  async settle(sql: Sql, claimed: Claimed): Promise<void> {
    await sql.query(SETTLE, keyOf(claimed));
  },

  /** Something is asked of the owner again, and counts no more than before. */
  async reopen(tx: Sql, claimed: Claimed): Promise<void> {
    await tx.query(REOPEN, keyOf(claimed));
  },

  /** The owner has not, or no longer: gives the unit back, once. With `at` only when nobody has claimed it again since then. */
  async release(tx: Sql, claimed: Claimed, at?: Date): Promise<boolean> {
    const gone = (await tx.query(DROP, [...keyOf(claimed), at ?? null])).length > 0;
    if (gone) await limits.giveBack(tx, claimed.storeId, claimed.metric);
    return gone;
  },

  async find(sql: Sql, claimed: Claimed): Promise<{ readonly open: boolean; readonly at: Date } | undefined> {
    const [row] = await sql.prepared<{ open: boolean; at: Date }>('plan claim', FIND, keyOf(claimed));
    return row;
  },

  /** Which of these the owner has yet to be heard of. */
  async open(sql: Sql, storeId: string, metric: Metric, ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    return new Set(
      (await sql.prepared<{ id: string }>('plan claims open', OPEN, [storeId, metric, ids])).map(({ id }) => id),
    );
  },
} as const;
