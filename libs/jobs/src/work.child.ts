// A process that takes a job and never finishes it, until it is killed: `node -r ./tools/swc-hook.cjs work.child.ts` with DATABASE_URL and SENDS.
import { databaseOptions, databaseSettings, openDatabase } from '@platform/data';
import { environment, loadConfig, Sends, sendsSettings, silentLogger } from '@platform/runtime';
import { openJobs } from './jobs';

const main = async (): Promise<void> => {
  const options = databaseOptions(loadConfig(databaseSettings(), environment));
  const database = openDatabase({ ...options, schema: 'shop', logger: silentLogger, poolSize: 4 });
  const forever = () => new Promise<void>(() => undefined);
  const heartbeat = { everySeconds: 0.2, silentSeconds: 1 };
  await openJobs({
    database,
    logger: silentLogger,
    schema: 'shop_jobs',
    tasks: { note: { effect: 'inside', run: forever }, slow: { effect: 'outside', run: forever } },
    sends: new Sends(loadConfig(sendsSettings, environment).SENDS),
    heartbeat,
    // Leaves no place for the job that the spec runs itself
    runners: [{ name: 'shared', tasks: ['slow'], concurrency: 2, share: { by: 'storeId', most: 2 } }],
  }).start?.();
};

void main();
