import { startProgram, until, type RunningProgram } from '@platform/testing';
import type { Commerce } from './commerce.fixture';

/**
 * The service once more, as a process of its own on the same database, for a spec that runs two or kills one. Its clock is the real one;
 * `more` settings come on top. The caller stops it.
 */
export const startSecondProcess = (
  { database, storeAuth }: Commerce,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningProgram> =>
  startProgram({
    main: 'apps/commerce-api/src/main.ts',
    env: {
      ...{ APP_ENV: 'test', PORT: '0', HOST: '127.0.0.1', ...database.settings },
      ...{ STORE_AUTH_URL: storeAuth.url, SERVICE_CLIENT_SECRET: storeAuth.client.secret },
      ...more,
    },
  });

const AT_WORK = `SELECT 1 FROM pg_stat_activity
  WHERE datname = current_database() AND backend_type = 'client backend' AND state <> 'idle' AND pid <> pg_backend_pid()`;

/** What a killed process has told the database last is done, and its rows are free, some time after it: until no session is at work. */
export const untilNobodyWorks = ({ database }: Pick<Commerce, 'database'>): Promise<unknown> =>
  until(
    () => database.query(AT_WORK),
    (sessions) => sessions.length === 0,
  );
