import type { Database } from '@platform/data';
import type { TestDatabase } from './database';
import type { Plan } from './explain';
import { until } from './until';

interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
  /** A plan for any values may be kept for it. */
  readonly isPrepared: boolean;
}

/** Asks statements of a database that has no rows. */
export type Asking = (database: Database) => unknown;

/** The statements that `work` asks; none of them has a row for an answer. */
const askedBy = async (work: Asking): Promise<Asked[]> => {
  const asked: Asked[] = [];
  const ask = (isPrepared: boolean, text: string, values: readonly unknown[] = []) => {
    asked.push({ text, values, isPrepared });
    return Promise.resolve([]);
  };
  const sql = {
    query: (text: string, values?: readonly unknown[]) => ask(false, text, values),
    prepared: (_: string, text: string, values: readonly unknown[]) => ask(true, text, values),
    later: (_: string, text: string, values: readonly unknown[]) => ask(true, text, values),
  };
  const database = { ...sql, tx: (inside: (tx: typeof sql) => unknown): unknown => inside(sql) };
  await Promise.resolve(work(database as unknown as Database)).catch((error: unknown) => {
    if (asked.length === 0) throw error; // else it misses the row that it looks for
  });
  if (asked.length === 0) throw new Error('It asks no statement.');
  return asked;
};

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL';
  const array = Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item)).join(',')}}` : undefined;
  const text = array ?? (typeof value === 'object' ? JSON.stringify(value).replace(/^"|"$/g, '') : String(value));
  return `'${text.replaceAll("'", "''")}'`;
};

interface Measured extends Plan {
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Join Filter'?: number;
}

/** Rows of tables that were scanned and entries of indexes that were found in this session, also by triggers. */
const TAKEN = `
  SELECT coalesce(sum(pg_stat_get_xact_tuples_returned(oid)), 0)::int AS taken FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')`;

/** Rows that were brought together and thrown away: of a join that meets everything with everything. */
const unmatched = (node: Measured): number =>
  (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops'] +
  (node.Plans ?? []).reduce((sum, plan) => sum + unmatched(plan as Measured), 0);

const UNDONE = new Error('undone');

const rowsRead = async (database: TestDatabase, { text, values }: Asked, mode: string) => {
  const read = { rows: -1, plan: {} };
  const given = values.length > 0 ? ` (${values.map(literal).join(', ')})` : '';
  const work = database.tx(async (tx) => {
    const taken = async () => (await tx.query<{ taken: number }>(TAKEN))[0]?.taken ?? 0;
    await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
    await tx.query(`PREPARE measured AS ${text}`);
    const before = await taken();
    const rows = await tx.query<{ 'QUERY PLAN': [{ Plan: Measured }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON, COSTS OFF, TIMING OFF, BUFFERS OFF) EXECUTE measured${given}`,
    );
    await tx.query('DEALLOCATE measured');
    for (const {
      'QUERY PLAN': [{ Plan: plan }],
    } of rows)
      Object.assign(read, { rows: (await taken()) - before + unmatched(plan), plan });
    throw UNDONE;
  });
  await work.catch((error: unknown) => {
    if (error !== UNDONE) throw error;
  });
  return read;
};

/**
 * Fails, with the plan, when a statement that `work` asks reads `most` rows or more: with a plan for these values, or, where it is prepared, with one
 * for any, which a session that knows it well has. Where a large store stands beside many small ones the two differ. Nothing of it stays.
 */
export const expectFewRead = async (database: TestDatabase, most: number, work: Asking): Promise<void> => {
  for (const asked of await askedBy(work))
    for (const mode of ['force_custom_plan', ...(asked.isPrepared ? ['force_generic_plan'] : [])]) {
      const { rows, plan } = await rowsRead(database, asked, mode);
      if (rows < 0 || rows >= most)
        throw new Error(
          `With ${mode} it reads ${rows} rows, not less than ${most}.\n${asked.text}\n${JSON.stringify(plan, null, 1)}`,
        );
    }
};

/**
 * Rows by the thousand, in one transaction and in this order. A scene is no request: no statement of it has a limit of time, as a busy machine may
 * need more than a service would wait. Only what is read is made: no trigger runs, and no key is looked for.
 */
export const fill = (
  database: TestDatabase,
  statements: readonly string[],
  values: readonly unknown[] = [],
): Promise<void> =>
  database.tx(async (tx) => {
    await tx.query('SET LOCAL statement_timeout = 0');
    await tx.query('SET LOCAL session_replication_role = replica');
    for (const statement of statements) await tx.query(statement, values);
  });

const TABLES = `
  SELECT oid::regclass::text AS name, relallvisible >= relpages AS visible FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND ($1::text[] = '{}' OR relname = ANY ($1))`;

/**
 * Makes these tables, or all of the schema, as they are where they have stood for a while: counted, and each page known to be visible to all, so that the
 * planner may take an index for the table. VACUUM takes for visible only what is written; the server of the tests commits before that
 * (synchronous_commit = off), so it depended on the machine's speed which plan was looked at.
 */
export const vacuumed = async (database: TestDatabase, ...only: string[]): Promise<void> => {
  const sql = database.aside({ name: 'vacuum', poolSize: 1, settings: { statement_timeout: '0' } });
  const tables = () => sql.query<{ name: string; visible: boolean }>(TABLES, [only]);
  const vacuum = async () => {
    let left = await tables();
    await until(async () => {
      await sql.query(`SELECT pg_logical_emit_message(false, 'vacuumed', '', true)`);
      for (const { name } of left) await sql.query(`VACUUM (ANALYZE, INDEX_CLEANUP ON, PARALLEL 0) ${name}`);
      left = (await tables()).filter(({ visible }) => !visible);
      return left.length === 0;
    });
  };
  await vacuum().finally(() => sql.stop?.());
};
