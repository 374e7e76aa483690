import { startPgBouncer } from '@platform/postgres';
import { environment } from '@platform/runtime';

/** Few, so that clients take turns on them as on a busy pooler. */
const SESSIONS = 4;

type Pooler = Awaited<ReturnType<typeof startPgBouncer>>;
let pooler: Pooler | undefined;

/** Address of the pooler in front of the database at `url`; undefined without one. */
export const poolerSettings = (url: string): Readonly<Record<string, string>> => {
  if (!pooler) return {};
  return { DATABASE_POOL_URL: pooler.urlOf(url), DB_PREPARED: pooler.keepsNamedStatements ? 'on' : 'off' };
};

/** From now on `testDatabase` is reached through a PgBouncer; resolves to the function that ends this. */
export const putPoolerBetween = async (binary: string): Promise<() => Promise<void>> => {
  const started = await startPgBouncer(binary, environment.TEST_DATABASE_URL ?? '', SESSIONS);
  pooler = started;
  return () => {
    pooler = undefined;
    return started.stop();
  };
};
