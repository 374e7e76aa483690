import {
  runProgramCommand,
  startProgram,
  testDatabase,
  type RunningProgram,
  type TestDatabase,
} from '@platform/testing';
import type { Commerce } from './commerce.fixture';

/** A service that owns what a face shows, as a process of its own with its own database. */
export interface OwnerProcess {
  readonly database: TestDatabase;
  readonly url: string;
  /** `kill -9`. */
  kill(): Promise<unknown>;
  restart(): Promise<void>;
  /** It takes connections and answers nothing, until `awaken`. */
  freeze(): void;
  awaken(): void;
  stop(): Promise<void>;
}

/** Starts it at this port, as the store-auth of `commerce` lets its callers in; `more` are settings. */
export const startOwner = async (
  { storeAuth, url }: Pick<Commerce, 'storeAuth' | 'url'>,
  service: 'bot-engine' | 'chat-backend',
  port: number,
  more: Readonly<Record<string, string>>,
): Promise<OwnerProcess> => {
  const main = `apps/${service}/src/main.ts`;
  const database = await testDatabase({ schema: service.replace('-', '_'), migrations: [] });
  const env = {
    ...{ APP_ENV: 'test', HOST: '127.0.0.1', PORT: String(port), COMMERCE_URL: url, STORE_AUTH_URL: storeAuth.url },
    ...{ SERVICE_CLIENT_ID: service, SERVICE_CLIENT_SECRET: storeAuth.client.secret, ...database.settings, ...more },
  };
  const migrated = await runProgramCommand({ main, args: ['migrate'], env });
  if (migrated.code !== 0) throw new Error(migrated.output);
  let program: RunningProgram = await startProgram({ main, env });
  return {
    database,
    url: program.url,
    kill: () => program.stop('SIGKILL'),
    restart: async () => void (program = await startProgram({ main, env })),
    freeze: () => void process.kill(program.pid, 'SIGSTOP'),
    awaken: () => void process.kill(program.pid, 'SIGCONT'),
    stop: async () => {
      // Also one that a test has left frozen
      await program.stop('SIGKILL');
      await database.stop?.();
    },
  };
};
