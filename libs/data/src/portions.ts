import { setTimeout as pause } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { BETWEEN_TRIES_MS, patiently, PATIENCE_MS, withSetting } from './migration.patience';
import { sqlState } from './postgres.errors';

/** A change of many rows of a big table, as pieces of SQL. */
export interface Portions {
  readonly table: string;
  /** What the rows that need the change meet, and no longer meet after it. */
  readonly where: string;
  /** What they get (`mark = 1`); without it they are deleted. */
  readonly set?: string;
}

/**
 * A step that changes every row that needs it when the step begins, in portions: each commits, and until then whoever writes one
 * of its rows waits; so their number follows from how long the one before took. For migrations outside a transaction, and
 * tables with a primary key. Rows that the release before writes meanwhile may be left as it wrote them.
 */
export const portions = (change: Portions): Portions => change;

/** Rows of the first portion, and of any. */
const FIRST_ROWS = 100;
const MOST_ROWS = 2_000;
/** Milliseconds that a portion is to take, and after which one of several rows is undone. */
const PORTION_MS = 100;
const MOST_MS = 400;
const UNDONE = '57014';

/** How many rows the next portion may have after one of `rows` took so long: few on a busy server, or with many indexes. */
export const nextPortion = (rows: number, milliseconds: number): number =>
  Math.max(1, Math.min(MOST_ROWS, rows * 2, Math.floor((rows * PORTION_MS) / milliseconds)));

const KEY = `
  SELECT quote_ident(a.attname) AS name FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY k (number, nth)
  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
  WHERE i.indrelid = $1::regclass AND i.indisprimary AND k.nth <= i.indnkeyatts ORDER BY k.nth`;

const keyOf = async (runner: QueryRunner, table: string): Promise<string[]> => {
  const key = (await runner.query(KEY, [table])) as { name: string }[];
  if (key.length === 0) throw new Error(`The table "${table}" has no primary key, by which portions walk over it.`);
  return key.map(({ name }) => name);
};

/**
 * For the walk alone, which looks at no condition: else the planner might read and sort the table for each portion, and what a
 * condition looks up by another index would be looked up by whatever is in order.
 */
const BY_KEY = 'SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off';

interface Found {
  readonly place: string;
  /** The transaction that wrote it: once it has moved, another row may have its place. */
  readonly writer: string;
  readonly key: readonly string[];
}

/** What became of the rows that were found. */
interface Changed {
  /** Those that were where they were found. */
  readonly seen: number;
  readonly due: number;
  readonly done: number;
  readonly again: boolean | null;
}

/**
 * The statements. Rows are walked over behind those of the portion before, without a lock: a walk that began at the front would pass
 * over everything that is done already, each time more of it, and one that stopped at rows that need the change alone might read
 * a whole table in one statement. Those that need it are locked at once and by nothing but their place; who holds a row, or has
 * moved it, is not waited for, because all others would wait behind us.
 */
const statementsOf = ({ table, where, set }: Portions, key: readonly string[]) => {
  const found = (strength: string): string => `ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ctid = ANY (ARRAY(SELECT place FROM seen WHERE due)) AND (${where}) FOR ${strength} SKIP LOCKED))`;
  const change =
    set === undefined
      ? `DELETE FROM ${table} WHERE ${found('UPDATE')} RETURNING false AS again`
      : `UPDATE ${table} SET ${set} WHERE ${found('NO KEY UPDATE')} RETURNING (${where}) AS again`;
  return {
    find: (isFirst: boolean): string => `
      SELECT ctid::text AS place, xmin::text AS writer, ARRAY[${key.map((name) => `${name}::text`).join()}] AS key FROM ${table}
      ${isFirst ? '' : `WHERE (${key.join()}) > (${key.map((_, n) => `$${n + 2}`).join()})`} ORDER BY ${key.join()} LIMIT $1`,
    change: `
      WITH seen AS MATERIALIZED (
        SELECT ctid AS place, (${where}) IS TRUE AS due FROM ${table} WHERE ctid = ANY ($1::tid[]) AND xmin = ANY ($2::xid[])),
      changed AS (${change})
      SELECT (SELECT count(*)::int FROM seen) AS seen, (SELECT count(*)::int FROM seen WHERE due) AS due,
        count(*)::int AS done, bool_or(again) AS again FROM changed`,
  };
};

/** The key behind which is walked on; none at the front. */
type Key = readonly string[];

class Walker {
  private rows = FIRST_ROWS;
  /** When a walk ended that had left rows out, and since then none was changed. */
  private stuckAt: number | undefined;

  constructor(
    private readonly runner: QueryRunner,
    private readonly portions: Portions,
    private readonly statements: ReturnType<typeof statementsOf>,
  ) {}

  /** Walks to the end; resolves with where it first left a row out. Throws when walks have left rows out and changed none for ten minutes. */
  async walk(from: Key): Promise<Key | undefined> {
    let after = from;
    let left: Key | undefined;
    for (;;) {
      const limit = this.rows;
      const found = await this.find(limit, after);
      if (found.length === 0) break;
      const changed = await this.portion(found);
      if (changed === undefined || (changed.seen < found.length && found.length > 1)) continue;
      if (changed.done < changed.due || changed.seen < found.length) left ??= after;
      if (found.length < limit) break;
      after = found.at(-1)?.key ?? after;
    }
    if (left) this.demandProgress();
    return left;
  }

  private demandProgress(): void {
    this.stuckAt ??= Date.now();
    if (Date.now() > this.stuckAt + PATIENCE_MS)
      throw new Error(`Rows of "${this.portions.table}" have stayed locked for ten minutes.`);
  }

  private find(limit: number, after: Key): Promise<Found[]> {
    const find = () =>
      this.runner.query(this.statements.find(after.length === 0), [limit, ...after]) as Promise<Found[]>;
    return patiently(this.runner, () => withSetting(this.runner, BY_KEY, find));
  }

  /** Undefined when it took too long, and none was changed. Some had moved: fewer are looked at next, so that less happens between. */
  private async portion(found: readonly Found[]): Promise<Changed | undefined> {
    const begun = performance.now();
    const changed = await this.change(found).catch((error: unknown) =>
      sqlState(error) === UNDONE ? undefined : Promise.reject(error),
    );
    const took = performance.now() - begun;
    const isWhole = changed === undefined || changed.seen === found.length;
    this.rows = isWhole ? nextPortion(found.length, took) : Math.ceil(found.length / 2);
    if (changed?.done) this.stuckAt = undefined;
    // Half of the disk's time is its writers'
    if (changed?.done !== 0) await pause(took);
    return changed;
  }

  private async change(found: readonly Found[]): Promise<Changed> {
    const limit = `SET LOCAL statement_timeout = ${found.length > 1 ? MOST_MS : 0}`;
    const values = [found.map(({ place }) => place), [...new Set(found.map(({ writer }) => writer))]];
    return patiently(this.runner, () =>
      withSetting(this.runner, limit, async () => {
        const [changed] = (await this.runner.query(this.statements.change, values)) as [Changed];
        if (changed.again) throw new Error(endless(this.portions));
        return changed;
      }),
    );
  }
}

const endless = ({ table, where }: Portions): string =>
  `Rows of "${table}" meet "${where}" after their change too: there would be no last portion.`;

/** Runs the portions until no row is left out. Throws when rows stay locked for ten minutes, or meet `where` after their change. */
export const runPortions = async (runner: QueryRunner, portions: Portions): Promise<void> => {
  const walker = new Walker(runner, portions, statementsOf(portions, await keyOf(runner, portions.table)));
  for (let from: Key | undefined = []; (from = await walker.walk(from)) !== undefined;) await pause(BETWEEN_TRIES_MS);
};
