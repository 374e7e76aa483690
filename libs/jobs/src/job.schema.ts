import { sqlState, type Database, type Sql } from '@platform/data';
import { retry, silentLogger, type RetryOptions } from '@platform/runtime';
import { runMigrations, type Logger as GraphileLogger } from 'graphile-worker';
import { graphileLogger } from './graphile.logger';
import { surelyAdded } from './job.adding';
import { inTimeTrigger } from './job.cron';
import { overtakenTriggers } from './job.overtaken';
import { checkedSchema } from './job.queue';
import { beginsFunction } from './job.share';
import { tenantTrigger } from './job.tenant';
import { wakeTrigger } from './job.wakeups';

/** The newest of graphile-worker 0.17.3's migrations; a spec compares it with what the package runs. */
const GRAPHILE_MIGRATION = 19;

const HEARTBEAT_TABLE = 'worker_heartbeat';

/** A trigger needs the table for itself for a moment: who adds jobs never waits behind it for longer than this. */
const LOCK_TIMEOUT = '300ms';
const PATIENCE: RetryOptions = {
  limitMs: 600_000,
  pauseMs: 1_000,
  isFinal: (cause) => sqlState(cause) !== '55P03',
  givingUp: () => undefined,
};

export interface JobSchema {
  migrate(): Promise<void>;
  pending(): Promise<string[]>;
  /** What to do when the schema is not up to date: graphile-worker would migrate by itself, in the middle of a rollout. */
  lack(): Promise<string | undefined>;
}

/** Our functions, and triggers on graphile-worker's table, by the names of functions of theirs. */
const OWN = {
  ...{ wake: wakeTrigger, overtaken: overtakenTriggers, surely_add: surelyAdded },
  ...{ of_tenant: tenantTrigger, begins: beginsFunction, in_time: inTimeTrigger },
};
type OwnName = keyof typeof OWN;
const ownNames = Object.keys(OWN) as OwnName[];

const lacksOwn = async (sql: Sql, schema: string, name: OwnName): Promise<boolean> => {
  const lacks = 'SELECT to_regproc($1) IS NULL AS lacks';
  return ((await sql.query(lacks, [`${schema}.${name}`])) as [{ lacks: boolean }])[0].lacks;
};

/** What is ours beside graphile-worker's tables. */
const makeOwn = (database: Database, schema: string): Promise<void> =>
  database.tx(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`jobs ${schema}`]);
    await tx.query(
      `CREATE TABLE IF NOT EXISTS ${schema}.${HEARTBEAT_TABLE} (worker text PRIMARY KEY, seen_at timestamptz NOT NULL)`,
    );
    await tx.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    for (const name of ownNames) if (await lacksOwn(tx, schema, name)) await tx.query(OWN[name](schema));
  });

export const jobSchema = (database: Database, schema: string, logger: GraphileLogger): JobSchema => {
  const tableExists = async (table: string): Promise<boolean> => {
    const [{ exists }] = (await database.query('SELECT to_regclass($1) IS NOT NULL AS exists', [
      `${schema}.${table}`,
    ])) as [{ exists: boolean }];
    return exists;
  };
  const graphileVersion = async (): Promise<number> => {
    if (!(await tableExists('migrations'))) return 0;
    const newest = `SELECT coalesce(max(id), 0) AS id FROM ${schema}.migrations`;
    const [{ id }] = (await database.query(newest)) as [{ id: number }];
    return id;
  };
  const pending = async (): Promise<string[]> => {
    const version = await graphileVersion();
    const outdated = version < GRAPHILE_MIGRATION ? [`graphile-worker ${version + 1} to ${GRAPHILE_MIGRATION}`] : [];
    const lacking: string[] = (await tableExists(HEARTBEAT_TABLE)) ? [] : [HEARTBEAT_TABLE];
    for (const name of ownNames) if (await lacksOwn(database, schema, name)) lacking.push(name);
    return [...outdated, ...lacking];
  };
  return {
    migrate: async () => {
      await runMigrations({ pgPool: database.direct, schema, logger });
      await retry(() => makeOwn(database, schema), PATIENCE);
    },
    pending,
    lack: async () => {
      const missing = await pending();
      return missing.length > 0
        ? `The jobs schema "${schema}" lacks ${missing.join(', ')}: run the migrate command of this service first.`
        : undefined;
    },
  };
};

/** Makes the tables of jobs in this schema, or brings them up to date, and says nothing: for who neither adds jobs nor runs any. */
export const jobTables =
  (schema: string) =>
  (database: Database): Promise<void> =>
    jobSchema(database, checkedSchema(schema), graphileLogger(silentLogger)).migrate();
