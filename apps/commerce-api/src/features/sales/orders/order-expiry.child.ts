// Cancels the orders that nobody has paid in time, until it is killed.
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { UnpaidOrders } from './order-expiry';

const { DATABASE_URL: url = '', AT = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 2 });
  await new UnpaidOrders({ database, clock: { now: () => new Date(AT) }, logger: silentLogger }).cancel();
  await database.stop?.();
};

void main();
