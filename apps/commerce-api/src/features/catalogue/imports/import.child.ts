// Writes what is left of the import JOB of the store STORE, until it is done or killed.
import { openDatabase } from '@platform/data';
import { environment, silentLogger, systemClock } from '@platform/runtime';
import { Importer } from '../../../imports/public';
import { jobQueue } from '../../../jobs';
import { productImport } from './public';

const { DATABASE_URL: url = '', STORE: storeId = '', JOB: id = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 2 });
  const importer = new Importer(
    { database, clock: systemClock, queue: jobQueue(), progress: { tell: () => undefined } },
    productImport(database),
  );
  const { signal } = new AbortController();
  await importer.run(storeId, id, { id: '1', attempt: 1, maxAttempts: 10, signal, logger: silentLogger });
  await database.stop?.();
};

void main();
