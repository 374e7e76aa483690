import {
  databaseOptions,
  databaseSettings,
  installExtensions,
  openDatabase,
  roleSettings,
  type Database,
  type DatabaseOptions,
  type MigrationClass,
  type Sql,
} from '@platform/data';
import { Unavailable } from '@platform/errors';
import { environment, loadConfig, silentLogger } from '@platform/runtime';
import { createHash, randomBytes } from 'node:crypto';
import { poolerSettings } from './pooler';
import { useRunning } from './use-running';

export interface TestDatabase extends Database {
  /** Superuser address of this database, for processes that a test starts. */
  readonly url: string;
  /** The settings with which a service or a process reaches it as the test does, also through a pooler if there is one. */
  readonly settings: Readonly<Record<string, string>>;
  readonly schema: string;
}

export interface TestDatabaseOptions
  extends
    Pick<DatabaseOptions, 'schema' | 'entities' | 'migrations' | 'poolSize'>,
    Partial<Pick<DatabaseOptions, 'logger'>> {
  /** Makes what stands beside the migrations, such as the tables of jobs: once, in the template. */
  readonly beside?: (database: Database) => Promise<void>;
}

const clusterUrl = (): string => {
  if (environment.TEST_DATABASE_URL) return environment.TEST_DATABASE_URL;
  throw new Error(
    "TEST_DATABASE_URL is not set: the test's project must depend on @platform/testing in its package.json, then jest starts a cluster.",
  );
};

const urlOf = (name: string): string => {
  const url = new URL(clusterUrl());
  url.pathname = `/${name}`;
  return url.href;
};

/** Databases are created and dropped from the cluster's own database, over one short connection that waits as long as it takes. */
/** A machine that is busy takes longer to connect than a service would wait: not a test's failure. */
const untilReached = async (admin: Sql, tries = 20): Promise<void> => {
  for (let left = tries; ; left--)
    try {
      return void (await admin.query('SELECT 1'));
    } catch (error) {
      if (left === 0 || !(error instanceof Unavailable)) throw error;
    }
};

const onCluster = async <T>(work: (admin: Sql) => Promise<T>): Promise<T> => {
  const cluster = openDatabase({ url: clusterUrl(), schema: 'public', logger: silentLogger, name: 'test' });
  const admin = cluster.aside({ name: 'databases', poolSize: 1, settings: { statement_timeout: '0' } });
  const asked = untilReached(admin).then(() => work(admin));
  return asked.finally(() => admin.stop?.());
};

const contentOf = (migration: MigrationClass): string =>
  `${migration.name} ${String(migration)} ${JSON.stringify(new migration())}`;

/** Another schema or other migrations need another template. */
const templateName = ({ schema, migrations = [], beside }: TestDatabaseOptions): string => {
  const contents = [...migrations.map(contentOf), ...(beside ? [`beside ${String(beside)}`] : [])];
  return `template_${schema}_${createHash('sha256').update(contents.join('\n')).digest('hex').slice(0, 16)}`;
};

const migrateTemplate = async (
  name: string,
  { schema, migrations = [], beside }: TestDatabaseOptions,
): Promise<void> => {
  const url = urlOf(name);
  await installExtensions(url);
  const database = openDatabase({ url, schema, migrations, poolSize: 1, logger: silentLogger });
  const made = database.migrate().then(() => beside?.(database));
  await made.finally(() => database.stop?.());
};

/** The first worker builds the template while the others wait; a half-built one of a killed run is discarded. */
const ensureTemplate = async (admin: Sql, options: TestDatabaseOptions): Promise<string> => {
  const template = templateName(options);
  const ready = () => admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
  if ((await ready()).length > 0) return template;
  await admin.query(`SELECT pg_advisory_lock(hashtextextended($1, 0))`, [template]);
  try {
    if ((await ready()).length > 0) return template;
    await admin.query(`DROP DATABASE IF EXISTS ${template}_new WITH (FORCE)`);
    await admin.query(`CREATE DATABASE ${template}_new`);
    await migrateTemplate(`${template}_new`, options);
    await admin.query(`ALTER DATABASE ${template}_new RENAME TO ${template}`);
  } finally {
    await admin.query(`SELECT pg_advisory_unlock_all()`);
  }
  return template;
};

/**
 * A started database for one test: cloned from a migrated template, dropped by `stop()`. Empty it with `truncateAll` where
 * tests need it empty; a suite that has one database takes `useDatabase`.
 */
export const testDatabase = async (options: TestDatabaseOptions): Promise<TestDatabase> => {
  const name = `test_${options.schema}_${randomBytes(8).toString('hex')}`;
  await onCluster(async (admin) => {
    const template = await ensureTemplate(admin, options);
    // Its files are copied: through the log, as by default, it takes twice as long, and so does dropping it
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    await admin.query(roleSettings({ database: name, schema: options.schema }));
  });
  const url = urlOf(name);
  const settings = { DATABASE_URL: url, ...poolerSettings(url) };
  const database = openDatabase({
    ...options,
    ...databaseOptions(loadConfig(databaseSettings(), settings)),
    poolSize: options.poolSize ?? 10,
    logger: options.logger ?? silentLogger,
  });
  const stop = async () => {
    await database.stop?.();
    await onCluster((admin) => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
  };
  try {
    await database.start?.();
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...database, url, settings, schema: options.schema, stop };
};

/** A `testDatabase` for the tests of the surrounding suite. */
export const useDatabase = (options: TestDatabaseOptions): TestDatabase => useRunning(() => testDatabase(options));

/** Empties every table of the schema except TypeORM's list of migrations; sequences begin again. */
export const truncateAll = async (database: TestDatabase): Promise<void> => {
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname = $1 AND tablename NOT IN ('migrations', 'typeorm_metadata')`,
    [database.schema],
  );
  if (tables.length > 0)
    await database.query(`TRUNCATE ${tables.map(({ name }) => name).join(', ')} RESTART IDENTITY CASCADE`);
};
