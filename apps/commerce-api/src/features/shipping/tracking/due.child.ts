// Looks for the parcels whose couriers are to be asked, again and again, until it is killed.
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { jobQueue } from '../../../jobs';
import { Parcels } from './tracking';

const { DATABASE_URL: url = '', AT = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 2 });
  const cache = { get: async () => null, set: async () => undefined };
  const parts = { database, queue: jobQueue(), logger: silentLogger, cache, provider: undefined as never };
  for (;;) await new Parcels({ ...parts, clock: { now: () => new Date(AT) } }).due();
};

void main();
