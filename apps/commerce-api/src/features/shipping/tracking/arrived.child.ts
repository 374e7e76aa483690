// Completes the orders that have arrived, until it is killed.
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { completeArrived } from './arrived.orders';

const { DATABASE_URL: url = '', AT = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 2 });
  await completeArrived({ database, clock: { now: () => new Date(AT) }, logger: silentLogger });
  await database.stop?.();
};

void main();
