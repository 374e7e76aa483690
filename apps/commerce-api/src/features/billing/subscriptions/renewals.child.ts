// Does once what is due with the subscriptions of a database.
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { jobQueue } from '../../../jobs';
import { Renewals } from './renewals';

const { DATABASE_URL: url = '', AT = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 4 });
  const clock = { now: () => new Date(AT) };
  await new Renewals({ database, clock, logger: silentLogger, queue: jobQueue() }).run();
  await database.stop?.();
};

void main();
