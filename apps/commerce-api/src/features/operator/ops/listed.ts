import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import { UsageError, type Outcome } from './ops.types';

/** Throws `UsageError`. */
export const idOf = (text = '', what: string): string => {
  if (isUuid(text)) return text;
  throw new UsageError(`"${text}" is no id of a ${what}: ops ${what} list shows those that wait`);
};

/** Rows, each in a line. */
export const listed = async (sql: Sql, name: string, statement: string, ...values: unknown[]): Promise<Outcome> => {
  const rows = await sql.query<Record<string, unknown>>(statement, values);
  const shown = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value ?? '-'));
  const lines = rows.map((row) => Object.values(row).map(shown).join('  '));
  return { text: lines.join('\n') || 'nothing waits', data: { [name]: rows } };
};

/** Throws `NotFound`. */
export const storeOf = async (store: Promise<string | undefined>, what: string): Promise<string> => {
  const id = await store;
  if (id !== undefined) return id;
  throw new NotFound(`${what} not found`);
};
