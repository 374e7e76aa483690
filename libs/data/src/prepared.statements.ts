import type { ClientBase, QueryConfig } from 'pg';
import { isStalePlan, sqlState } from './postgres.errors';
import { PreparedQuery } from './prepared.query';

/** The name exists already, or does not exist: a pooler's sessions are not the client's own. */
const NAMES_MIXED_UP = ['42P05', '26000'];

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

  /** The rows of what `config` made. */
  async run<Row>(client: ClientBase, statement: QueryConfig): Promise<Row[]> {
    if (statement.name === undefined) return (await client.query(statement)).rows as Row[];
    return client.query(new PreparedQuery<Row>(statement, !this.pooled)).answer;
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
