import type { Sql } from '@platform/data';
import { refusals } from './refusals';

/** What a store may have before it chooses a plan; the owner is one of the staff. */
export const trial = {
  ...{ devices: 1, agents: 2, staff: 3, contacts: 10_000, stores: 1 },
  /** In a month. */
  broadcasts: 10,
  /** In kibibytes: five gibibytes. */
  storage: 5 * 1024 * 1024,
  files: 10_000,
} as const;
/** No more of anything is ever allowed: the counters hold little more. */
export const MOST_ALLOWED = 2_000_000_000;
export type Metric = keyof typeof trial;
export const metrics = Object.keys(trial) as Metric[];

/** SQL: the month that counts now where the store is, of what is counted by months; of all else there is one time, for ever. */
const periodOf = (metric: string): string =>
  `(CASE WHEN ${metric} = 'broadcasts'
    THEN (SELECT to_char(now() AT TIME ZONE here.timezone, 'YYYY-MM') FROM store here WHERE here.store_id = $1) ELSE '' END)`;
/** What of a row still counts. */
const usedNow = (metric: string): string => `(CASE u.period WHEN ${periodOf(metric)} THEN u.used ELSE 0 END)`;

/** How much of a metric a store has, and may have. */
export interface Use {
  readonly metric: Metric;
  readonly used: number;
  readonly limit: number;
}

/** What is there when a store is counted first; whatever comes or goes afterwards is told by `require` and `giveBack`. */
const COUNTED: Readonly<Record<Metric, string>> = {
  devices: '(SELECT count(*) FROM device d WHERE d.store_id = s.store_id)',
  agents: '0',
  staff: `(SELECT count(*) FROM membership m WHERE m.store_id = s.store_id)
    + (SELECT count(*) FROM invitation i WHERE i.store_id = s.store_id)`,
  contacts: '(SELECT count(*) FROM contact c WHERE c.store_id = s.store_id)',
  stores: '1',
  broadcasts: '0',
  storage: '(SELECT coalesce(sum(ceil(m.bytes / 1024.0)), 0) FROM media m WHERE m.store_id = s.store_id)',
  files: '(SELECT count(*) FROM media m WHERE m.store_id = s.store_id)',
};

const open = (metric: Metric): string =>
  `INSERT INTO plan_use (store_id, metric, used)
   SELECT s.store_id, $2, ${COUNTED[metric]} FROM store s WHERE s.store_id = $1
     AND NOT EXISTS (SELECT FROM plan_use u WHERE u.store_id = $1 AND u.metric = $2)
   ON CONFLICT DO NOTHING`;

/** In one order, like everybody who needs two of them; what somebody raised meanwhile is seen. */
const LOCK = 'SELECT 1 FROM plan_use WHERE store_id = $1 ORDER BY metric FOR NO KEY UPDATE';
const ALLOW = `
  UPDATE plan_use u SET allowed = ($2::jsonb ->> u.metric)::int
  WHERE u.store_id = $1 AND u.allowed IS DISTINCT FROM ($2::jsonb ->> u.metric)::int`;

const COUNT = `CASE m.metric ${Object.entries(COUNTED)
  .map(([metric, count]) => `WHEN '${metric}' THEN ${count}`)
  .join(' ')} END`;
/** Whoever has not been counted yet is counted now. */
const USE = `
  SELECT m.metric, coalesce(${usedNow('m.metric')}, ${COUNT})::int AS used, coalesce(u.allowed, ($2::jsonb ->> m.metric)::int) AS limit
  FROM store s CROSS JOIN jsonb_object_keys($2::jsonb) AS m(metric)
    LEFT JOIN plan_use u ON u.store_id = s.store_id AND u.metric = m.metric
  WHERE s.store_id = $1`;

const RAISE = `
  UPDATE plan_use u SET used = ${usedNow('$2')} + $3, period = ${periodOf('$2')}
  WHERE u.store_id = $1 AND u.metric = $2 AND ${usedNow('$2')} + $3 <= coalesce(u.allowed, $4) RETURNING u.used`;

const ALLOWED = 'SELECT coalesce(allowed, $3) AS allowed FROM plan_use WHERE store_id = $1 AND metric = $2';

const RAISE_UP_TO = `
  UPDATE plan_use SET used = greatest(used, least(used + $3, coalesce(allowed, $4)))
  WHERE store_id = $1 AND metric = $2 RETURNING new.used - old.used AS taken`;

const GIVE_BACK = `
  UPDATE plan_use u SET used = greatest(0, u.used - $3)
  WHERE u.store_id = $1 AND u.metric = $2 AND u.period = ${periodOf('$2')}`;

/**
 * What a store's plan allows (design 3.7). The counter's row is locked until the transaction ends, so that of those who come at
 * once no more get in than there is room for, and what is rolled back is given back.
 */
export const limits = {
  /** Throws `PaymentRequired` when `n` more are too many. Before the call of an owner elsewhere: in a transaction of its own. */
  async require(sql: Sql, storeId: string, metric: Metric, n = 1): Promise<void> {
    const raised = async () =>
      (await sql.prepared('limit raise', RAISE, [storeId, metric, n, trial[metric]])).length > 0;
    if (await raised()) return;
    // Nobody has counted yet, unless the limit is reached
    await sql.query(open(metric), [storeId, metric]);
    if (await raised()) return;
    throw refusals.planLimit(metric, await limits.allowed(sql, storeId, metric));
  },

  async allowed(sql: Sql, storeId: string, metric: Metric): Promise<number> {
    const [row] = await sql.prepared<{ allowed: number }>('limit allowed', ALLOWED, [storeId, metric, trial[metric]]);
    return row?.allowed ?? trial[metric];
  },

  /** Takes as many of `n` as there is room for, and tells how many. */
  async upTo(sql: Sql, storeId: string, metric: Metric, n: number): Promise<number> {
    await sql.query(open(metric), [storeId, metric]);
    const [row] = await sql.prepared<{ taken: number }>('limit up to', RAISE_UP_TO, [
      storeId,
      metric,
      n,
      trial[metric],
    ]);
    return row?.taken ?? 0;
  },

  /**
   * What a store may have from now on; null: what the trial allows. What it has already stays, and nothing comes to what is too
   * much. The rows stay locked until the transaction ends.
   */
  async allow(tx: Sql, storeId: string, allowed: Readonly<Record<Metric, number>> | null): Promise<void> {
    for (const metric of [...metrics].sort()) await tx.query(open(metric), [storeId, metric]);
    await tx.query(LOCK, [storeId]);
    await tx.query(ALLOW, [storeId, JSON.stringify(allowed ?? {})]);
  },

  /** Everything that is counted of a store. */
  async uses(sql: Sql, storeId: string): Promise<Use[]> {
    const rows = await sql.prepared<Use>('limit uses', USE, [storeId, JSON.stringify(trial)]);
    return metrics.flatMap((metric) => rows.filter((row) => row.metric === metric));
  },

  /** What was required and did not come about, or is gone. */
  async giveBack(sql: Sql, storeId: string, metric: Metric, n = 1): Promise<void> {
    await sql.prepared('limit give back', GIVE_BACK, [storeId, metric, n]);
  },
};
