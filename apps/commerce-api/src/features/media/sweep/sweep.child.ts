// Sweeps until it is killed.
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { MediaDisk } from '../storage/public';
import { MediaArrivals } from '../uploads/public';
import { MediaSweep } from './media.sweep';

const { DATABASE_URL: url = '', MEDIA_DIR = '', AT = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 2 });
  const clock = { now: () => new Date(AT) };
  const store = new MediaDisk(MEDIA_DIR);
  const arrivals = new MediaArrivals({ database, store });
  await new MediaSweep({ database, store, arrivals, clock, logger: silentLogger }).rows();
  await database.stop?.();
};

void main();
