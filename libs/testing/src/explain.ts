import type { Sql } from '@platform/data';

/** One node of EXPLAIN (FORMAT JSON); see "Using EXPLAIN" in PostgreSQL's documentation for the other members. */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Plan[];
}

/**
 * The plan of a statement, without running it. Sequential scans are made as expensive as possible: on the few rows of a test the
 * planner would always prefer one, so one that remains means that no index serves the statement.
 */
export const explain = async (
  database: { tx<T>(work: (tx: Sql) => Promise<T>): Promise<T> },
  text: string,
  values: readonly unknown[] = [],
): Promise<Plan> =>
  database.tx(async (tx) => {
    await tx.query('SET LOCAL enable_seqscan = off');
    const [row] = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `EXPLAIN (FORMAT JSON, COSTS OFF) ${text}`,
      values,
    );
    if (!row) throw new Error('EXPLAIN answered nothing: is the text one statement?');
    return row['QUERY PLAN'][0].Plan;
  });

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

/** Fails when one of `tables`, or any table when none is named, is scanned sequentially. */
export const expectNoSeqScan = (plan: Plan, ...tables: string[]): void => {
  const scanned = nodes(plan)
    .filter((node) => node['Node Type'] === 'Seq Scan')
    .map((node) => node['Relation Name'] ?? '');
  const guilty = scanned.filter((table) => tables.length === 0 || tables.includes(table));
  if (guilty.length > 0)
    throw new Error(
      `Sequential scan on ${guilty.join(', ')}: no index serves this statement.\n${JSON.stringify(plan, null, 2)}`,
    );
};
