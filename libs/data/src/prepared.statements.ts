import type { ClientBase, QueryConfig } from 'pg';
import { isStalePlan, sqlState } from './postgres.errors';
import { PreparedQuery } from './prepared.query';

/** The name exists already, or does not exist: a pooler's sessions are not the client's own. */
const NAMES_MIXED_UP = ['42P05', '26000'];

/** A statement, prepared under its name if it has one. */
export interface Asked {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * The names under which statements are prepared. One whose plan a migration made stale gets a new name and text, and is
 * thereby prepared again everywhere, even behind a pooler, which keeps statements by their text across clients.
 */
export class PreparedStatements {
  private readonly renewals = new Map<string, number>();

  /**
   * `named: false` sends every statement without a name (DB_PREPARED=off). `pooled`: sessions change behind their connections,
   * so that what one has described may be another's by the next statement.
   */
  constructor(
    private readonly named: boolean,
    private readonly pooled = false,
  ) {}

  config(name: string, text: string, values: readonly unknown[]): QueryConfig {
    if (!this.named) return { text, values: values as unknown[] };
    const renewals = this.renewals.get(name);
    if (renewals === undefined) return { name, text, values: values as unknown[] };
    return { name: `${name} ${renewals}`, text: `${text} /* ${renewals} */`, values: values as unknown[] };
  }

  /** The rows of the last of these statements, which go over the wire in one write; the others are done before it, or none after one that fails. */
  async run<Row>(client: ClientBase, asked: readonly Asked[]): Promise<Row[]> {
    const configs = asked.map(({ name, text, values = [] }) =>
      name === undefined ? { text, values: values as unknown[] } : this.config(name, text, values),
    );
    const query = new PreparedQuery<Row>(configs, !this.pooled);
    try {
      return await client.query(query).answer;
    } catch (error) {
      // Or it would lead to the socket, not to who asked
      if (error instanceof Error) Error.captureStackTrace(error);
      const at = Math.min(query.done, configs.length - 1);
      throw this.failure(asked[at]?.name ?? '', configs[at] as QueryConfig, error);
    }
  }

  /** What the failure of `used`, made by `config(name, ...)`, means; after a stale plan the next `config` is another statement. */
  failure(name: string, used: QueryConfig, error: unknown): unknown {
    const renewals = this.renewals.get(name);
    const isCurrent = used.name === (renewals === undefined ? name : `${name} ${renewals}`);
    if (isStalePlan(error) && isCurrent) this.renewals.set(name, (renewals ?? 0) + 1);
    if (used.name === undefined || !NAMES_MIXED_UP.includes(sqlState(error) ?? '')) return error;
    return new Error(
      `The address of the database leads to a pooler that does not keep named statements. Set DB_PREPARED=off, or max_prepared_statements in PgBouncer 1.21 or newer.`,
      { cause: error },
    );
  }
}
