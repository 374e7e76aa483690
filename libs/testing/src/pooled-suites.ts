import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabase } from './database';
import { putPoolerBetween } from './pooler';

const SPEC = '.spec.ts';

export interface PooledSuites {
  /** The program (PGBOUNCER); without one the suites run without a pooler only, which is printed. */
  readonly binary: string | undefined;
  readonly folder: string;
  /** Specs of the folder that inspect the server's own sessions, or need no database. */
  readonly except: readonly string[];
}

const takesTurns = async (): Promise<void> => {
  const database = await testDatabase({ schema: 'pooled', poolSize: 12 });
  const pids = await Promise.all(
    Array.from({ length: 12 }, () => database.query('SELECT pg_backend_pid() AS pid, pg_sleep(0.05)::text')),
  );
  const { pool, direct } = database;
  await database.stop?.();
  expect(new Set(pids.map(([row]) => row?.pid)).size).toBeLessThanOrEqual(4);
  expect([pool === direct, pool.options.max]).toEqual([false, 12]);
};

/**
 * The suites of a folder once more, with a real PgBouncer in transaction mode between `testDatabase` and the cluster. Stands in
 * a `pooled.spec.ts` of its own, which leaves itself out.
 */
export const behindPgBouncer = ({ binary, folder, except }: PooledSuites): void => {
  const specs = readdirSync(folder).filter((name) => name.endsWith(SPEC));
  const left = ['pooled', ...except].map((name) => `${name}${SPEC}`);
  const suites = specs.filter((name) => !left.includes(name));
  it('pooled suites leave out only specs that exist, and run others', () => {
    expect([left.filter((name) => !specs.includes(name)), suites.length > 0]).toEqual([[], true]);
  });
  if (!binary) return void process.stderr.write(`PGBOUNCER is not set: ${folder} was tested without a pooler only.\n`);
  describe('specs behind PgBouncer', () => {
    let end: () => Promise<void>;
    beforeAll(async () => {
      end = await putPoolerBetween(binary);
    });
    afterAll(() => end());
    it('clients of one database take turns on few sessions', takesTurns);
    describe.each(suites)('%s', (suite) => void jest.requireActual(join(folder, suite)));
  });
};
