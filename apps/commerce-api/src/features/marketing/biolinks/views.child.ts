// Views one page and clicks on its block as many times at once as it is told, as people and as programs: once, or until it is killed where it
// is to tell of every answer.
import { openDatabase } from '@platform/data';
import { environment, silentLogger } from '@platform/runtime';
import { Tally } from '../counting/public';
import { PublicBiolinks, VIEWS } from './public';

const { DATABASE_URL: url = '', AT = '', SLUG = '', BLOCK = '', PERSON = '', TIMES = '0', TELLS } = environment;
const NO_CONNECTION = 'timeout exceeded when trying to connect';

const tell = (sign: string): void => {
  if (TELLS) process.stdout.write(sign);
};

/** On a busy machine some wait too long for a connection, so that nothing was asked of the database, nor counted: they ask again. */
const insisting = (ask: () => Promise<unknown>): Promise<unknown> =>
  ask().catch((failure: { readonly cause?: { readonly message?: string } }) => {
    if (failure.cause?.message === NO_CONNECTION) return insisting(ask);
    throw failure;
  });
const times = (sign: string, ask: () => Promise<unknown>): Promise<void>[] =>
  Array.from({ length: Number(TIMES) }, () => insisting(ask).then(() => tell(sign)));

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 4 });
  const tally = new Tally({ database, clock: { now: () => new Date(AT) } }, VIEWS);
  const pages = new PublicBiolinks(database, tally);
  do {
    await Promise.all([
      ...times('v', () => pages.view(SLUG, PERSON)),
      ...times('b', () => pages.view(SLUG, 'Googlebot/2.1')),
    ]);
    await Promise.all(times('c', () => pages.click(SLUG, BLOCK, PERSON)));
  } while (TELLS);
  await tally.stop();
  await database.stop?.();
};

void main();
