// Buys pieces of one variant at once and prints how many it got; or, with STEPS, does random steps in a store until it is killed.
import { openDatabase, type Transaction } from '@platform/data';
import { Conflict } from '@platform/errors';
import { environment, silentLogger, uuidv7 } from '@platform/runtime';
import { randomInt } from 'node:crypto';
import { book } from './bookings';
import { commit, release, reserve } from './reservations';

const { DATABASE_URL: url = '', STORE: storeId = '', BUYERS = '0' } = environment;
const variants = (environment.VARIANTS ?? '').split(',');
const warehouses = (environment.WAREHOUSES ?? '').split(',');
const by = { storeId, actor: 'child', at: new Date() };
const oneOf = <T>(list: readonly T[]): T => list[randomInt(list.length)] as T;
const line = () => ({ variant_id: oneOf(variants), warehouse_id: oneOf(warehouses) });

/** Whether the work was done; not when there was too little stock. */
const done = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Conflict) return false;
      throw error;
    },
  );

const step = async (tx: Transaction): Promise<void> => {
  const owner = { type: 'order', id: uuidv7() };
  await reserve(tx, by, owner, [
    { ...line(), qty: 1 + randomInt(2) },
    { ...line(), qty: 1 },
  ]);
  if (randomInt(3) > 0) await oneOf([commit, release])(tx, by, owner);
  await book(tx, by, { reason: 'found' }, [{ ...line(), delta: 1 + randomInt(3) }]);
};

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 8 });
  const bought = await Promise.all(
    Array.from({ length: Number(BUYERS) }, () =>
      done(database.tx((tx) => reserve(tx, by, { type: 'order', id: uuidv7() }, [{ ...line(), qty: 1 }]))),
    ),
  );
  console.log(JSON.stringify({ bought: bought.filter(Boolean).length }));
  const walk = async (): Promise<never> => {
    for (;;) await done(database.tx(step));
  };
  if (environment.STEPS) await Promise.all([walk(), walk(), walk(), walk()]);
  await database.stop?.();
};

void main();
