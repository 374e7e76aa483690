import type { Database } from '@platform/data';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@platform/runtime';
import { upsertPlan } from '../../billing/plans/public';
import { UsageError, type Operation } from './ops.types';

/** Throws `UsageError` for what is no file of JSON. */
const read = async (file: string): Promise<unknown> => {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read: ${cause.code ?? cause.message}`, { cause });
  });
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new UsageError(`${file} is no JSON: ${(cause as Error).message}`, { cause });
  }
};

/** What can be subscribed to. */
export const planOperations = ({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): Operation[] => [
  {
    ...{ name: 'plan upsert', usage: '<file>', words: [1, 1] },
    summary:
      'Writes the plan of a JSON file under its code: code, family, name, rank, prices, limits, features, vouchers, on_sale.',
    run: async ([file = '']) => {
      const plan = await upsertPlan(database, await read(file), clock.now());
      return { text: `plan ${plan.code} is written`, data: { id: plan.id, code: plan.code } };
    },
  },
];
