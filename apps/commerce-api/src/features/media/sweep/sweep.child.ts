// Sweeps until it is killed.
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { MediaDisk } from '../uploads/public';
import { MediaSweep } from './media.sweep';

const { DATABASE_URL: url = '', MEDIA_DIR = '', AT = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 2 });
  const clock = { now: () => new Date(AT) };
  await new MediaSweep({ database, disk: new MediaDisk(MEDIA_DIR), clock, logger: silentLogger }).rows();
  await database.stop?.();
};

void main();
