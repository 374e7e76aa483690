import type { Logger } from '@platform/runtime';
import type { Client } from 'pg';
import type { QueryRunner } from 'typeorm';
import type { Transaction } from './database.types';
import { translated } from './postgres.errors';
import { retried, sqlOn } from './postgres.pool';
import type { PreparedStatements } from './prepared.statements';

type Hook = () => void | Promise<void>;

const runHooks = async (hooks: readonly Hook[], logger: Logger): Promise<void> => {
  for (const hook of hooks)
    try {
      await hook();
    } catch (error) {
      logger.error('a hook failed after the commit', { error });
    }
};

/** One attempt: the connection is released before the hooks run, and discarded when it may still be in the transaction. */
const attempt = async <T>(
  runner: QueryRunner,
  statements: PreparedStatements,
  work: (tx: Transaction) => Promise<T>,
): Promise<{ result: T; hooks: Hook[] }> => {
  const hooks: Hook[] = [];
  let client: Client | undefined;
  let broken = false;
  try {
    const connected = (client = (await runner.connect()) as Client);
    await runner.startTransaction();
    const sql = sqlOn((statement) => statement(connected), statements);
    const result = await work({ ...sql, entities: runner.manager, afterCommit: (hook) => void hooks.push(hook) });
    await runner.commitTransaction();
    return { result, hooks };
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => (broken = true));
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
