// Writes what is left of the import JOB of the store STORE, until it is done or killed.
import { openDatabase } from '@platform/data';
import { environment, silentLogger, systemClock } from '@platform/runtime';
import { Importer } from '../../../imports/public';
import { jobQueue } from '../../../jobs';
import { ChatCopies } from '../../chat/copies/public';
import { touchedBy } from '../copies/public';
import { contactImport } from './public';

const { DATABASE_URL: url = '', STORE: storeId = '', JOB: id = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 2 });
  const parts = { database, clock: systemClock, queue: jobQueue(), progress: { tell: () => undefined } };
  const copies = new ChatCopies({ ...parts, sql: database, logger: silentLogger, chat: undefined }, {});
  const importer = new Importer(parts, contactImport(touchedBy(copies)));
  const { signal } = new AbortController();
  await importer.run(storeId, id, { id: '1', attempt: 1, maxAttempts: 10, signal, logger: silentLogger });
  await database.stop?.();
};

void main();
