import { fill, random, untilWaiting, vacuumed } from '@platform/testing';
import { ownStore } from '../../../asked.fixture';
import { deadlocksOf, useCommerce } from '../../../commerce.fixture';
import { VisitorEvents } from './visitor.events';
import { events as kinds } from './visits.dto';
import { recordAll, VISIT_STATEMENTS, type Told } from './visits.sql';

const commerce = useCommerce();

const told = (slug: string, more: Partial<Told> = {}): Told => ({
  ...{ slug, event: 'page_view', eventId: `E${Math.random()}`, visitorId: 'V1', consent: true, utm: {} },
  ...{ at: commerce.clock.now(), ...more },
});
const daily = (storeId: string) =>
  commerce.database.query(
    `SELECT source, visits::int, viewed::int, carted::int, checkouts::int, purchases::int, anonymous::int
      FROM source_daily WHERE store_id = $1 ORDER BY source`,
    [storeId],
  );
const none = { visits: 0, viewed: 0, carted: 0, checkouts: 0, purchases: 0, anonymous: 0 };
const newShop = async (): Promise<string> => (await ownStore(commerce)).storeId;

describe('events that come together', () => {
  it('count each in its shop and at its source, and one of no shop fails alone', async () => {
    const [one, two] = [await newShop(), await newShop()];
    const kept = new VisitorEvents(commerce.database);
    const some = Array.from({ length: 90 }, (_, at) => {
      const visitorId = `V${at}`;
      if (at % 9 === 0) return told('no-such-shop', { visitorId });
      if (at % 9 === 1) return told(two, { visitorId, consent: false, utm: { source: 'fb' } });
      return told(at % 2 === 0 ? one : two, {
        visitorId,
        event: 'view_content',
        utm: at % 3 === 0 ? { id: 'AD' } : {},
      });
    });
    const answers = await Promise.allSettled(some.map((event) => kept.keep(event)));
    const failed = answers.flatMap((answer, at) => (answer.status === 'rejected' ? [at] : []));
    expect(failed).toEqual(some.flatMap(({ slug }, at) => (slug === 'no-such-shop' ? [at] : [])));
    const counts = (slug: string, source: string) =>
      some.filter((event) => event.slug === slug && event.consent && (event.utm.id ? 'ad' : 'direct') === source)
        .length;
    const seen = (slug: string, source: string) => ({
      ...{ ...none, source, visits: counts(slug, source), viewed: counts(slug, source) },
    });
    expect(await daily(one)).toEqual([seen(one, 'ad'), seen(one, 'direct')]);
    expect(await daily(two)).toEqual([seen(two, 'ad'), seen(two, 'direct'), { ...none, source: 'fb', anonymous: 10 }]);
    await kept.stop();
  });

  it('of which PostgreSQL can hold one not are kept, each once, and that one fails alone', async () => {
    const shop = await newShop();
    const kept = new VisitorEvents(commerce.database);
    const ids = ['V1', 'V\0', 'V"{}\\,NULL', 'V💥\ud83d', 'V2'];
    const answers = await Promise.allSettled(ids.map((visitorId) => kept.keep(told(shop, { visitorId }))));
    await kept.stop();
    const held = answers.filter(({ status }) => status === 'fulfilled').length;
    expect([answers[1]?.status, answers[0]?.status, answers[2]?.status, answers[4]?.status]).toEqual([
      ...['rejected', 'fulfilled', 'fulfilled', 'fulfilled'],
    ]);
    expect(await daily(shop)).toEqual([{ ...none, source: 'direct', visits: held }]);
  });

  it('of one visitor follow each other, as if each had come alone', async () => {
    const shop = await newShop();
    const kept = new VisitorEvents(commerce.database);
    const steps = ['page_view', 'view_content', 'view_content', 'add_to_cart', 'checkout', 'page_view'] as const;
    await Promise.all(steps.map((event) => kept.keep(told(shop, { event }))));
    expect(await daily(shop)).toEqual([{ ...none, source: 'direct', visits: 1, viewed: 1, carted: 1, checkouts: 1 }]);
    await Promise.all([...'abc'].map((source) => kept.keep(told(shop, { utm: { source } }))));
    expect(((await daily(shop)) as { visits: number }[]).map(({ visits }) => visits)).toEqual([1, 1, 1, 1]);
    await kept.stop();
  });

  it('under one id count once, also of two visitors', async () => {
    const shop = await newShop();
    await recordAll(commerce.database, [told(shop, { eventId: 'E1' }), told(shop, { eventId: 'E1', visitorId: 'V2' })]);
    expect(await daily(shop)).toEqual([{ ...none, source: 'direct', visits: 1 }]);
  });

  it('begin at most as many visits of a store as it may have a day, and beyond 500 sources they count as others with the next statement', async () => {
    const [crowd, sources] = [await newShop(), await newShop()];
    await commerce.database.query(
      `INSERT INTO source_daily (store_id, day, source, visits) SELECT $1, $2::timestamptz::date, 'fb', 19_990`,
      [crowd, commerce.clock.now()],
    );
    const some = Array.from({ length: 25 }, (_, at) => told(crowd, { visitorId: `V${at}` }));
    await recordAll(commerce.database, some);
    expect(await daily(crowd)).toEqual([
      { ...none, source: 'direct', visits: 10, anonymous: 15 },
      { ...none, source: 'fb', visits: 19_990 },
    ]);
    const many = Array.from({ length: 800 }, (_, at) =>
      told(sources, { visitorId: `V${at}`, utm: { source: `s${at}` } }),
    );
    for (let at = 0; at < many.length; at += 100) await recordAll(commerce.database, many.slice(at, at + 100));
    const rows = (await daily(sources)) as { source: string; visits: number }[];
    expect(rows.reduce((sum, { visits }) => sum + visits, 0)).toBe(800);
    expect([rows.length, rows.find(({ source }) => source === 'other')?.visits]).toEqual([601, 200]);
  });
});

it('events of a shop whose counter somebody holds keep no other shop waiting, and each is kept after that', async () => {
  const [held, free] = [await newShop(), await newShop()];
  const kept = new VisitorEvents(commerce.database);
  await kept.keep(told(held));
  const waiting: Promise<void>[] = [];
  await commerce.database.tx(async (tx) => {
    await tx.query('SELECT 1 FROM source_daily WHERE store_id = $1 FOR UPDATE', [held]);
    for (const visitorId of ['V2', 'V3', 'V4']) {
      waiting.push(kept.keep(told(held, { visitorId })));
      await untilWaiting(tx, ...waiting.slice(0, 1));
      await new Promise(setImmediate);
    }
    await kept.keep(told(free));
  });
  await Promise.all(waiting);
  expect([await daily(held), await daily(free)]).toEqual(
    [4, 1].map((visits) => [{ ...none, source: 'direct', visits }]),
  );
  await kept.stop();
});

it('events of two processes, of the same visitors and ids and from the same sources, wait for each other in no circle', async () => {
  const shops = [await newShop(), await newShop(), await newShop()];
  const dice = random(7);
  const both = [new VisitorEvents(commerce.database), new VisitorEvents(commerce.database)];
  const before = await deadlocksOf(commerce);
  const some = Array.from({ length: 1_500 }, () =>
    told(dice.pick(shops), {
      ...{ visitorId: `V${dice.below(40)}`, eventId: `E${dice.below(700)}`, consent: dice.chance(0.9) },
      ...{ event: dice.pick(kinds), utm: { source: `s${dice.below(5)}` } },
    }),
  );
  await Promise.all(some.map((event, at) => both[at % 2]?.keep(event)));
  expect(await deadlocksOf(commerce)).toBe(before);
  for (const one of both) await one.stop();
});

it('events are kept by index, whatever is known of how many there are', async () => {
  const shop = await newShop();
  await fill(
    commerce.database,
    [
      `INSERT INTO visit (store_id, visitor_id, source, visits, steps, first_at, last_at)
      SELECT $1, 'X' || n, 'direct', 1, 1, now(), now() FROM generate_series(1, 20000) n`,
      `INSERT INTO visit_event (store_id, event_id, visitor_id, event, at) SELECT $1, 'X' || n, 'X' || n, 'page_view', now() FROM generate_series(1, 20000) n`,
      `INSERT INTO source_daily (store_id, day, source, visits)
      SELECT $1, '2026-03-01'::date - d, 's' || s, 1 FROM generate_series(1, 300) d, generate_series(1, 40) s`,
    ],
    [shop],
  );
  await vacuumed(commerce.database, 'visit', 'visit_event', 'source_daily');
  const plan = await commerce.database.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (GENERIC_PLAN, COSTS OFF) ${VISIT_STATEMENTS.record}`,
  );
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toMatch(/Index (Only )?Scan using visit_pkey/);
  expect(text).not.toMatch(/Seq Scan on (visit|visit_event|source_daily|global_key|store) /);
});
