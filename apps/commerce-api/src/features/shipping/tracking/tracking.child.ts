// Follows some parcels again and again, until it is killed.
import { openDatabase } from '@platform/data';
import { environment, silentLogger, systemClock } from '@platform/runtime';
import { openShipping } from '../../../clients/ship-a';
import { jobQueue } from '../../../jobs';
import { SharedProvider } from '../shared.provider';
import { Parcels } from './tracking';

const { DATABASE_URL: url = '', SHIP_A_BASE_URL, SHIP_A_KEY, STORE = '', SHIPMENTS = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 4 });
  const settings = { APP_ENV: 'test', SHIP_A_DIALECT: 'komerce', SHIP_A_STORE_DAILY: 1_000_000 } as const;
  const cache = { get: async () => null, set: async () => undefined, increment: async () => 1 };
  const { provider, mostADay } = openShipping({ ...settings, SHIP_A_BASE_URL, SHIP_A_KEY });
  const shared = new SharedProvider({ provider, mostADay, cache, logger: silentLogger });
  const parts = { database, clock: systemClock, queue: jobQueue(), logger: silentLogger, cache, provider: shared };
  const parcels = new Parcels(parts);
  for (;;) for (const id of SHIPMENTS.split(',')) await parcels.track(STORE, id);
};

void main();
