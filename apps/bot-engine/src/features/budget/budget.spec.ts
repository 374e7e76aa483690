import { randomBytes } from 'node:crypto';
import { openCache } from '@platform/data';
import { Unavailable } from '@platform/errors';
import { environment, fixedClock, silentLogger, uuidv7 } from '@platform/runtime';
import { until, useDatabase, useOpened } from '@platform/testing';
import { TABLES } from '../../app.fixture';
import type { Price } from '../model/public';
import type { Store } from '../stores/public';
import { createBudget } from './budget.service';
import { budgetSums } from './budget.sums';

const database = useDatabase(TABLES);
const ended = useOpened();

const PRICES = new Map<string, Price>([
  ['cheap', { input: 1_000_000n, cached: 1_000_000n, output: 2_000_000n }],
  ['dear', { input: 3_000_000n, cached: 0n, output: 1_000_000n }],
]);
const TODAY = '2026-11-23T05:00:00Z';
const ENDS = { day: new Date('2026-11-23T17:00:00Z'), month: new Date('2026-11-30T17:00:00Z') };

let stores = 0;
const storeOf = (more: Partial<Store> = {}): Store => ({
  ...{ id: `S${++stores}`, name: 'Toko', timezone: 'Asia/Jakarta', currency: 'IDR', status: 'active', facts: {} },
  ...{ replyLimit: null, periodStart: null, periodEnd: null, dayCapMicros: null, monthCapMicros: null },
  ...more,
});

interface BudgetOf {
  readonly url?: string;
  readonly name?: string;
  readonly prices?: ReadonlyMap<string, Price>;
  readonly clock?: ReturnType<typeof fixedClock>;
  /** Instead of the cache's. */
  readonly runScript?: () => Promise<never>;
}

/** The budget of one process. */
const open = async ({
  url,
  name = randomBytes(6).toString('hex'),
  prices = PRICES,
  clock,
  runScript,
}: BudgetOf = {}) => {
  const cache = ended(openCache({ url, name, logger: silentLogger }));
  await cache.start?.();
  const warnings: unknown[] = [];
  return {
    warnings,
    cache,
    ...createBudget({
      cache: runScript ? { runScript } : cache,
      sums: budgetSums(database),
      prices: { current: () => Promise.resolve(prices) },
      clock: clock ?? fixedClock(TODAY),
      logger: { ...silentLogger, warn: (...said: unknown[]) => void warnings.push(said) },
      dayCapMicros: 1_000,
      monthCapMicros: 5_000,
    }),
  };
};

const request = (storeId: string, cost: number | null, at = TODAY, tokens = 0) =>
  database.query(
    `INSERT INTO llm_requests (store_id, id, agent_id, purpose, model, status, tokens_in, tokens_cached, tokens_out,
                               cost_micros, ms, created_at)
     VALUES ($1, $2, 'A1', 'chat', 'm', 'ok', $3, 0, 0, $4, 1, $5)`,
    [storeId, uuidv7(), tokens, cost, at],
  );

const run = async (storeId: string, answer: string[], { status = 'done', purpose = 'chat', at = TODAY } = {}) => {
  const conversation = uuidv7();
  await database.query(
    `INSERT INTO bot_conversations (store_id, id, agent_id, id_user, conv_key) VALUES ($1, $2, 'A1', $3, $3)`,
    [storeId, conversation, conversation],
  );
  await database.query(
    `INSERT INTO bot_runs (store_id, id, conv_id, status, purpose, reply, tokens_in, tokens_out, cost_micros, ms_queue,
                           ms_model, ms_total, agent_version, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, 0, 0, 0, 0, 0, 0, 1, $7)`,
    [storeId, uuidv7(), conversation, status, purpose, JSON.stringify({ answer, images: [], messageIds: [] }), at],
  );
};

const USED = { in: 0, out: 0 };

/** The behaviour of the caps, whatever keeps the counters. */
const budgetContract = (title: string, url: string | undefined): void =>
  describe(`the budget of a store, counted ${title}`, () => {
    it('is not used up by a store that has cost nothing', async () =>
      expect(await (await open({ url })).exhausted(storeOf())).toBeUndefined());

    it('is used up until the end of the day of its own time zone when the day has cost its cap', async () => {
      const budget = await open({ url });
      const [jakarta, berlin] = [storeOf(), storeOf({ timezone: 'Europe/Berlin' })];
      for (const store of [jakarta, berlin]) {
        await budget.exhausted(store);
        budget.spent(store, 999, USED);
        expect(await budget.exhausted(store)).toBeUndefined();
        budget.spent(store, 1, USED);
      }
      await until(async () => (await budget.exhausted(berlin)) !== undefined);
      expect(await budget.exhausted(jakarta)).toEqual({ why: 'day', until: ENDS.day });
      expect(await budget.exhausted(berlin)).toEqual({ why: 'day', until: new Date('2026-11-23T23:00:00Z') });
    });

    it('is counted from the rows when its counters are missing, each day and month for itself', async () => {
      const [yesterday, month] = [storeOf(), storeOf()];
      await request(yesterday.id, 4_000, '2026-11-22T16:59:00Z');
      await request(yesterday.id, 900);
      await request(month.id, 4_500, '2026-10-31T17:00:00Z');
      await request(month.id, 99_000, '2026-10-31T16:59:00Z');
      await request(month.id, 999);
      const budget = await open({ url });
      expect([await budget.exhausted(yesterday), await budget.exhausted(month)]).toEqual([
        undefined,
        { why: 'month', until: ENDS.month },
      ]);
    });

    it('has caps of its own when the store has some, and zero is one', async () => {
      const budget = await open({ url });
      const [none, more] = [storeOf({ dayCapMicros: 0 }), storeOf({ dayCapMicros: 2_000, monthCapMicros: 90_000 })];
      await request(more.id, 1_999);
      expect(await budget.exhausted(none)).toEqual({ why: 'day', until: ENDS.day });
      expect(await budget.exhausted(more)).toBeUndefined();
    });

    it('counts a model without a price with the highest price of each kind that is known', async () => {
      const budget = await open({ url });
      const [live, rows] = [storeOf(), storeOf()];
      await budget.exhausted(live);
      budget.spent(live, null, { in: 200, out: 200 });
      await until(async () => (await budget.exhausted(live)) !== undefined);
      await request(rows.id, null, TODAY, 333);
      expect(await budget.exhausted(rows)).toBeUndefined();
      await request(rows.id, null, TODAY, 1);
      expect(await (await open({ url })).exhausted(rows)).toEqual({ why: 'day', until: ENDS.day });
    });

    it('is reached by unpriced models also where nothing has a price', async () => {
      const budget = await open({ url, prices: new Map() });
      const store = storeOf();
      await request(store.id, null, TODAY, 100);
      expect(await budget.exhausted(store)).toMatchObject({ why: 'day' });
    });

    it("is used up when the plan's replies of the period are, until that ends", async () => {
      const period = { periodStart: new Date('2026-11-10T00:00:00Z'), periodEnd: new Date('2026-12-10T00:00:00Z') };
      const store = storeOf({ replyLimit: 3, ...period });
      await run(store.id, ['halo']);
      await run(store.id, [], {});
      await run(store.id, ['maaf'], { status: 'fallback' });
      await run(store.id, ['uji'], { purpose: 'eval' });
      await run(store.id, ['dulu'], { at: '2026-11-09T23:59:59Z' });
      const budget = await open({ url });
      expect(await budget.exhausted(store)).toBeUndefined();
      budget.replied(store);
      expect(await budget.exhausted(store)).toBeUndefined();
      budget.replied(store);
      await until(async () => (await budget.exhausted(store)) !== undefined);
      expect(await budget.exhausted(store)).toEqual({ why: 'replies', until: period.periodEnd });
      expect(await budget.exhausted({ ...store, replyLimit: null })).toBeUndefined();
    });

    it('begins anew when a period has ended, although commerce-api has not told the next one', async () => {
      const period = { periodStart: new Date('2026-10-10T00:00:00Z'), periodEnd: new Date('2026-11-10T00:00:00Z') };
      const store = storeOf({ replyLimit: 1, ...period });
      await run(store.id, ['dulu'], { at: '2026-11-09T00:00:00Z' });
      expect(await (await open({ url })).exhausted(store)).toBeUndefined();
      await run(store.id, ['baru'], { at: '2026-11-11T00:00:00Z' });
      const again = new Date('2026-11-23T05:15:00Z');
      expect(await (await open({ url })).exhausted(store)).toEqual({ why: 'replies', until: again });
    });

    it('tells the latest end when several caps are reached', async () => {
      const store = storeOf({ replyLimit: 0, dayCapMicros: 0, monthCapMicros: 0 });
      const period = { periodStart: new Date('2026-11-01T00:00:00Z'), periodEnd: new Date('2026-11-25T00:00:00Z') };
      expect(await (await open({ url })).exhausted({ ...store, ...period })).toEqual({
        why: 'month',
        until: ENDS.month,
      });
    });

    it("is another store's no concern, and a new day's neither", async () => {
      const clock = fixedClock(TODAY);
      const budget = await open({ url, clock });
      const [spender, neighbour] = [storeOf(), storeOf()];
      await request(spender.id, 1_000);
      expect(await budget.exhausted(spender)).toMatchObject({ why: 'day' });
      expect(await budget.exhausted(neighbour)).toBeUndefined();
      clock.advance(12 * 3_600_000);
      expect(await budget.exhausted(spender)).toBeUndefined();
    });

    it('is read from the database once, however many turns find no counters at the same time', async () => {
      const budget = await open({ url });
      const store = storeOf();
      const asked = jest.spyOn(database, 'query');
      await Promise.all(Array.from({ length: 20 }, () => budget.exhausted(store)));
      const statements = asked.mock.calls.length;
      asked.mockRestore();
      expect(statements).toBe(2);
    });
  });

budgetContract('in process', undefined);

it('counters that cannot be read refuse the turn; what cannot be counted is said in the log', async () => {
  const down = () => Promise.reject(new Unavailable('the cache is down'));
  const budget = await open({ runScript: down });
  const store = storeOf();
  await expect(budget.exhausted(store)).rejects.toThrow(Unavailable);
  budget.spent(store, 5, USED);
  budget.replied(store);
  await until(() => budget.warnings.length === 2);
  const said = ['a budget was not counted', { cause: expect.stringContaining('the cache is down') }];
  expect(budget.warnings).toEqual([said, said]);
});

const withRedis = (url: string): void => {
  budgetContract('in Redis', url);

  it('two processes on one Redis count together', async () => {
    const name = randomBytes(6).toString('hex');
    const [one, other] = [await open({ url, name }), await open({ url, name })];
    const store = storeOf();
    await Promise.all([one.exhausted(store), other.exhausted(store)]);
    for (let n = 0; n < 50; n += 1) (n % 2 ? one : other).spent(store, 20, USED);
    await until(async () => (await one.exhausted(store)) !== undefined);
    expect(await other.exhausted(store)).toEqual({ why: 'day', until: ENDS.day });
  });

  it('counters that Redis has lost are counted from the rows', async () => {
    const name = randomBytes(6).toString('hex');
    const budget = await open({ url, name });
    const store = storeOf();
    await budget.exhausted(store);
    await request(store.id, 1_000);
    expect(await budget.exhausted(store)).toBeUndefined();
    for (const part of ['day:2026-11-23', 'month:2026-11']) await budget.cache.delete(`budget:${store.id}:${part}`);
    budget.spent(store, 5, USED);
    expect(await budget.exhausted(store)).toEqual({ why: 'day', until: ENDS.day });
  });
};

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: budgets were tested in one process only.\n');
