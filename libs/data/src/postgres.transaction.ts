import type { Logger } from '@platform/runtime';
import type { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import type { Sql, Transaction } from './database.types';
import { translated } from './postgres.errors';
import { retried } from './postgres.pool';
import type { Asked, PreparedStatements } from './prepared.statements';

type Hook = () => void | Promise<void>;

const runHooks = async (hooks: readonly Hook[], logger: Logger): Promise<void> => {
  for (const hook of hooks)
    try {
      await hook();
    } catch (error) {
      logger.error('a hook failed after the commit', { error });
    }
};

/** The statements of a transaction. What nobody waits for, its begin too, goes with the next that somebody waits for: a write costs as much as a small statement. */
class Line {
  private waiting: Asked[] = [];
  /** Something of it is sent. */
  begun = false;
  /** Its connection may be in somebody else's transaction by now. */
  private over = false;

  constructor(
    private readonly client: Client,
    private readonly statements: PreparedStatements,
  ) {}

  readonly sql: Sql = {
    query: async <Row>(text: string, values?: readonly unknown[]) => {
      if (values && values.length > 0) return this.send<Row>({ text, values });
      await this.empty();
      this.refuseLate();
      return (await this.client.query(text)).rows as Row[];
    },
    prepared: (name, text, values) => this.send({ name, text, values }),
    later: async (name, text, values) => this.hold({ name, text, values }),
  };

  /** Takes nothing any more, but what ends it. */
  end(statement?: Asked): Promise<unknown> {
    const sent = statement && this.send(statement);
    this.over = true;
    return Promise.resolve(sent);
  }

  hold(statement: Asked): void {
    this.refuseLate();
    this.waiting.push(statement);
  }

  async send<Row>(statement: Asked): Promise<Row[]> {
    this.refuseLate();
    const all = [...this.waiting, statement];
    this.waiting = [];
    this.begun = true;
    return this.statements.run(this.client, all);
  }

  /** Before somebody else uses the connection. */
  async empty(): Promise<void> {
    this.refuseLate();
    const last = this.waiting.pop();
    if (last) await this.send(last);
  }

  private refuseLate(): void {
    if (this.over) throw new Error('The transaction is over: a statement of it came too late.');
  }
}

type Way = (text: string, ...more: unknown[]) => Promise<unknown>;

/** Does `work`, in which the runner sends what it has to say by `way`. */
const speaking = async <T>(runner: QueryRunner, way: Way, work: () => Promise<T>): Promise<T> => {
  const { query } = runner;
  runner.query = way as typeof query;
  return work().finally(() => (runner.query = query));
};

/** `work` between its begin and its commit. */
const transacted = async <T>(runner: QueryRunner, line: Line, work: () => Promise<T>): Promise<T> => {
  const own = runner.query.bind(runner) as Way;
  const held: Way = async (text) => line.hold({ text });
  const after: Way = async (...asked) => (await line.empty(), own(...asked));
  await speaking(runner, held, () => runner.startTransaction());
  const result = await speaking(runner, after, work);
  await speaking(
    runner,
    (text) => line.end({ text }),
    () => runner.commitTransaction(),
  );
  return result;
};

/** One attempt: the connection is released before the hooks run, and discarded when it may still be in the transaction. */
const attempt = async <T>(
  runner: QueryRunner,
  statements: PreparedStatements,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ result: T; hooks: Hook[] }> => {
  const hooks: Hook[] = [];
  let line: Line | undefined;
  let client: Client | undefined;
  let broken = false;
  try {
    client = (await runner.connect()) as Client;
    const { sql } = (line = new Line(client, statements));
    const tx: Transaction = { ...sql, entities: runner.manager, afterCommit: (hook) => void hooks.push(hook) };
    return { result: await transacted(runner, line, () => work(tx)), hooks };
  } catch (error) {
    await line?.end();
    if (line?.begun && runner.isTransactionActive) await runner.rollbackTransaction().catch(() => (broken = true));
    throw error;
  } finally {
    // The pool discards a client that was ended.
    if (broken) void client?.end().catch(() => undefined);
    await runner.release();
  }
};

/** `Database.tx`, see there. */
export const transactions =
  (createRunner: () => Promise<QueryRunner>, statements: PreparedStatements, logger: Logger) =>
  async <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => {
    try {
      const { result, hooks } = await retried(async () => attempt(await createRunner(), statements, work));
      await runHooks(hooks, logger);
      return result;
    } catch (error) {
      throw translated(error);
    }
  };
