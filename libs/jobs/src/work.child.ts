// A process that takes a job and never finishes it, until it is killed: `node -r ./tools/swc-hook.cjs work.child.ts` with DATABASE_URL.
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { openJobs } from './jobs';

const main = async (): Promise<void> => {
  const database = openDatabase({
    url: environment.DATABASE_URL ?? '',
    schema: 'shop',
    logger: silentLogger,
    poolSize: 4,
  });
  const forever = () => new Promise<void>(() => undefined);
  const heartbeat = { everySeconds: 0.2, silentSeconds: 1 };
  await openJobs({
    database,
    logger: silentLogger,
    schema: 'shop_jobs',
    tasks: { note: forever, slow: forever },
    heartbeat,
  }).start?.();
};

void main();
