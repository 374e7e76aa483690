import { MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A migration is a list of hand-written SQL steps and is never reverted: the next one corrects it.
 * The class name ends with a 13-digit timestamp (`CreateContacts1760000000000`). Steps run in one transaction, unless the
 * class sets `transaction = false` (CREATE INDEX CONCURRENTLY).
 */
export abstract class ForwardMigration implements MigrationInterface {
  abstract readonly steps: readonly string[];

  async up(runner: QueryRunner): Promise<void> {
    for (const step of this.steps) await runner.query(step);
  }

  down(): Promise<never> {
    return Promise.reject(new Error('Migrations go forward only: write a new one that puts it right.'));
  }
}

const executor = (runner: QueryRunner): MigrationExecutor => {
  const migrations = new MigrationExecutor(runner.dataSource, runner);
  migrations.transaction = 'each';
  return migrations;
};

/** Migrations that the database lacks, and those that this build does not know. */
export const differences = async (runner: QueryRunner): Promise<{ pending: string[]; unknown: string[] }> => {
  const executed = (await executor(runner).getExecutedMigrations()).map(({ name }) => name);
  const known = runner.dataSource.migrations.map((migration) => migration.name ?? migration.constructor.name);
  return {
    pending: known.filter((name) => !executed.includes(name)),
    unknown: executed.filter((name) => !known.includes(name)),
  };
};

/** A service must not run on a schema it does not know. */
export const refuseUnknownSchema = async (runner: QueryRunner, schema: string): Promise<void> => {
  const { pending, unknown } = await differences(runner);
  if (unknown.length > 0)
    throw new Error(
      `The schema "${schema}" is newer than this build: it holds the unknown migrations ${unknown.join(', ')}. Deploy a build that contains them.`,
    );
  if (pending.length > 0)
    throw new Error(
      `The schema "${schema}" is older than this build: the migrations ${pending.join(', ')} are pending. Run the migrate command of this service first.`,
    );
};

/**
 * Brings the schema up to date under an advisory lock on this one session, whose end also ends the lock.
 * CREATE SCHEMA needs a privilege on the whole database even when the schema exists, so it only runs when it does not.
 */
export const migrateSchema = async (runner: QueryRunner, schema: string): Promise<void> => {
  await runner.query(`SELECT pg_advisory_lock(hashtextextended('migrate ' || $1, 0))`, [schema]);
  const [{ exists }] = (await runner.query('SELECT to_regnamespace($1) IS NOT NULL AS exists', [schema])) as [
    { exists: boolean },
  ];
  if (!exists) await runner.query(`CREATE SCHEMA ${schema}`);
  await executor(runner).executePendingMigrations();
};
