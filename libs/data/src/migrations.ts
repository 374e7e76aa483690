import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '@platform/runtime';
import { MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import { giveFirstStatistics } from './first.statistics';
import { LOCK_TIMEOUT, patiently } from './migration.patience';
import { runPortions, type Portions } from './portions';

const LOOK_AGAIN_MS = 250;

/** Takes away what builds before used. */
export interface Contract {
  /** Name of the migration that the oldest build knows that still runs on the schema afterwards. */
  readonly suits: string;
}

/**
 * A migration is a list of hand-written SQL steps and is never reverted: the next one corrects it.
 * The class name ends with a 13-digit timestamp (`CreateContacts1760000000000`). Steps run in one transaction, unless the
 * class sets `transaction = false`: then they can be `CREATE INDEX CONCURRENTLY` and `portions`, and a step that succeeded
 * may come again, because a try that fails begins anew (IF NOT EXISTS).
 *
 * The release before works on the schema while it runs and after it. One that takes something away is a `contract`: builds
 * that do not know the migration it names refuse the schema from then on. Which steps are safe is checked by
 * `tools/checks/src/migrations.spec.ts`.
 */
export abstract class ForwardMigration implements MigrationInterface {
  abstract readonly steps: readonly (string | Portions)[];
  readonly contract?: Contract;

  async up(runner: QueryRunner): Promise<void> {
    if (this.contract) await declareContract(runner, this.constructor.name, this.contract);
    for (const step of this.steps) await (isAlone(this) ? runAlone(runner, step) : runInTransaction(runner, step));
  }

  down(): Promise<never> {
    return Promise.reject(new Error('Migrations go forward only: write a new one that puts it right.'));
  }
}

/** Whether its steps run outside a transaction. */
export const isAlone = ({ transaction }: MigrationInterface): boolean => transaction === false;

/** The name of an index that is built beside its writers; comments may stand before the statement, and quotes around the name. */
const CONCURRENT_INDEX =
  /^(?:\s|--[^\n]*|\/\*[\s\S]*?\*\/)*CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?("[^"]+"|\w+)/i;

/** A build that failed leaves its index behind, which slows writers, serves no reader, and passes for the index itself. */
const INVALID = `SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid`;

/** Whoever waits here makes no writer wait, and what it waits for may take its time. */
const runConcurrently = async (runner: QueryRunner, step: string, index: string): Promise<void> => {
  await runner.query('SET lock_timeout = 0');
  try {
    if (((await runner.query(INVALID, [index])) as unknown[]).length > 0)
      await runner.query(`DROP INDEX CONCURRENTLY ${index}`);
    await runner.query(step);
  } finally {
    await runner.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
  }
};

const runInTransaction = (runner: QueryRunner, step: string | Portions): Promise<unknown> =>
  typeof step === 'string'
    ? runner.query(step)
    : Promise.reject(new Error('Every portion is to commit: set `transaction = false`.'));

const runAlone = async (runner: QueryRunner, step: string | Portions): Promise<void> => {
  if (typeof step !== 'string') return runPortions(runner, step);
  const [, index] = CONCURRENT_INDEX.exec(step) ?? [];
  await patiently(runner, () => (index === undefined ? runner.query(step) : runConcurrently(runner, step, index)));
};

/** Before the steps: who reads it must not be late. The migrations of a schema that was never contracted leave no such table. */
const declareContract = async (runner: QueryRunner, name: string, { suits }: Contract): Promise<void> => {
  await runner.query('CREATE TABLE IF NOT EXISTS schema_contract (migration text PRIMARY KEY, suits text NOT NULL)');
  await runner.query('INSERT INTO schema_contract VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, suits]);
};

interface Step {
  readonly migration: string;
  readonly suits: string;
}

export interface Differences {
  /** This build knows them, the database has not run them. */
  readonly pending: string[];
  /** The database has run them, this build does not know them. */
  readonly unknown: string[];
  /** Contract steps among them after which this build cannot run. */
  readonly beyond: readonly Step[];
}

const rowsOf = async <Row>(runner: QueryRunner, schema: string, table: string, columns: string): Promise<Row[]> => {
  const [{ exists }] = (await runner.query('SELECT to_regclass($1) IS NOT NULL AS exists', [`${schema}.${table}`])) as [
    { exists: boolean },
  ];
  return exists ? ((await runner.query(`SELECT ${columns} FROM ${schema}.${table} ORDER BY 1`)) as Row[]) : [];
};

/** All ways in which a build and a database can differ. Only looks: services that wait ask it while another process migrates. */
export const differences = async (runner: QueryRunner, schema: string): Promise<Differences> => {
  const executed = (await rowsOf<{ name: string }>(runner, schema, 'migrations', 'id, name')).map(({ name }) => name);
  const known = runner.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  const contracts = await rowsOf<Step>(runner, schema, 'schema_contract', 'migration, suits');
  return {
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
    beyond: contracts.filter(({ migration, suits }) => !known.includes(migration) && !known.includes(suits)),
  };
};

const beyondText = (schema: string, beyond: readonly Step[]): string => {
  const taken = beyond.map(({ migration, suits }) => `${migration} has taken away what builds before ${suits} use`);
  const needed = [...new Set(beyond.map(({ suits }) => suits))].join(', ');
  return `The schema "${schema}" is beyond this build: ${taken.join('; ')}. Deploy a build that knows ${needed}.`;
};

/**
 * What this build waits for before it can serve the schema, as a sentence; undefined when it can. A schema that is newer is
 * good enough, with a warning, as long as nothing was taken away that this build uses; otherwise it throws.
 */
export const lackOf = async (runner: QueryRunner, schema: string, logger: Logger): Promise<string | undefined> => {
  const { pending, unknown, beyond } = await differences(runner, schema);
  if (beyond.length > 0) throw new Error(beyondText(schema, beyond));
  if (pending.length > 0)
    return `The schema "${schema}" is older than this build: the migrations ${pending.join(', ')} are pending. Run the migrate command of this service first.`;
  if (unknown.length > 0) logger.warn('the schema is newer than this build, which it suits', { schema, unknown });
  return undefined;
};

/** Asked again and again, because a session that waits inside a statement is itself waited for by CREATE INDEX CONCURRENTLY. */
const lockForMigration = async (runner: QueryRunner, schema: string, logger: Logger): Promise<void> => {
  const lock = `SELECT pg_try_advisory_lock(hashtextextended('migrate ' || $1, 0)) AS taken`;
  for (let told = false; ; told = true) {
    if (((await runner.query(lock, [schema])) as [{ taken: boolean }])[0].taken) return;
    if (!told) logger.warn('another process migrates the schema: this one waits for its end', { schema });
    await pause(LOOK_AGAIN_MS);
  }
};

const refuseNewer = async (runner: QueryRunner, schema: string): Promise<void> => {
  const { unknown, beyond } = await differences(runner, schema);
  if (beyond.length > 0) throw new Error(beyondText(schema, beyond));
  if (unknown.length > 0)
    throw new Error(
      `The schema "${schema}" is newer than this build: it holds ${unknown.join(', ')}. Migrate with a build that knows them; this one needs no migration to be rolled back to.`,
    );
};

/**
 * Brings the schema up to date under an advisory lock on this one session, whose end also ends the lock; `made` runs when the
 * schema is there and before its migrations. CREATE SCHEMA asks for a right on the whole database even when the schema exists,
 * so it is only used when it does not. New tables get statistics to begin with. Throws, having changed nothing, when a newer build has migrated the schema.
 */
export const migrateSchema = async (
  runner: QueryRunner,
  { schema, logger }: { readonly schema: string; readonly logger: Logger },
  made: () => Promise<void>,
): Promise<void> => {
  await lockForMigration(runner, schema, logger);
  await refuseNewer(runner, schema);
  const [{ exists }] = (await runner.query('SELECT to_regnamespace($1) IS NOT NULL AS exists', [schema])) as [
    { exists: boolean },
  ];
  if (!exists) await runner.query(`CREATE SCHEMA ${schema}`);
  await made();
  await patiently(runner, () => {
    const executor = new MigrationExecutor(runner.dataSource, runner);
    executor.transaction = 'each';
    return executor.executePendingMigrations();
  });
  await patiently(runner, () => giveFirstStatistics(runner, schema));
};
