import { uuidv7, silentLogger } from '@platform/runtime';
import { tellObservers } from './announce';
import { NOW, useCommerce } from './commerce.fixture';
import type { ShopEvent } from './shop-event.types';

const commerce = useCommerce();

/** Observers that note what they hear; those in `failing` do not. */
const hearing = (failing: readonly string[]) => {
  const heard: string[] = [];
  const run = (observer: string) => async () => {
    if (failing.includes(observer)) throw new Error(`${observer} is away`);
    heard.push(observer);
  };
  const observer = (name: string) => ({ effect: 'inside' as const, run: run(name) });
  const tell = tellObservers(
    {
      'event.hooks': observer('event.hooks'),
      'event.messages': observer('event.messages'),
      'event.notices': observer('event.notices'),
      'event.pixels': observer('event.pixels'),
    },
    commerce.database,
  );
  return { heard, tell };
};
const job = { id: '1', attempt: 1, maxAttempts: 10, signal: new AbortController().signal, logger: silentLogger };
// A store that nobody has: the jobs of the real observers find nothing to tell
const event = (kind: ShopEvent['kind']): ShopEvent => ({
  ...{ storeId: `store-${uuidv7()}`, eventId: uuidv7(), kind, subjectId: uuidv7(), at: NOW, actor: 'test' },
});
const later = ({ storeId }: ShopEvent) =>
  commerce.database.query(
    `SELECT identifier AS job, key FROM announced_later WHERE store_id = $1 ORDER BY identifier`,
    [storeId],
  );

beforeAll(() =>
  // Jobs are gone when they are done: what was added stays here
  commerce.database.query(`
    CREATE TABLE announced_later (store_id text, identifier text, key text);
    CREATE FUNCTION note_announced_later() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      INSERT INTO commerce_api.announced_later
      SELECT NEW.payload ->> 'storeId', t.identifier, NEW.key FROM commerce_api_jobs._private_tasks t WHERE t.id = NEW.task_id;
      RETURN NULL;
    END $$;
    CREATE TRIGGER note_announced_later AFTER INSERT ON commerce_api_jobs._private_jobs
      FOR EACH ROW EXECUTE FUNCTION note_announced_later()`),
);

it.each([
  ['order.created', ['event.hooks', 'event.messages', 'event.notices']],
  ['order.paid', ['event.hooks', 'event.notices', 'event.pixels']],
  ['order.completed', []],
] as const)('of %s hear those who observe it, in one job', async (kind, observers) => {
  const { heard, tell } = hearing([]);
  const told = event(kind);
  await tell(told, job);
  expect([heard, await later(told)]).toEqual([observers, []]);
});

it('an observer that fails keeps nobody else from hearing, and is told again by a job of its own', async () => {
  const { heard, tell } = hearing(['event.hooks', 'event.pixels']);
  const told = event('order.paid');
  await tell(told, job);
  expect(heard).toEqual(['event.notices']);
  expect(await later(told)).toEqual(
    ['event.hooks', 'event.pixels'].map((name) => ({ job: name, key: `${name}:${told.storeId}:${told.eventId}` })),
  );
});
