import { expectNoSeqScan, explain } from '@platform/testing';
import { internalCalls, useBot } from '../../app.fixture';
import { seedRun } from '../runs/runs.fixture';
import { USAGE } from './usage.sql';

const { database, bot } = useBot();

const store = async (id: string, timezone: string) =>
  database.query('INSERT INTO bot_stores (store_id, name, timezone) VALUES ($1, $1, $2)', [id, timezone]);
const used = async (id: string, query: string) => internalCalls(bot, id)('GET', `/usage?${query}`);
const NOTHING = {
  ...{ replies: 0, handovers: 0, fallbacks: 0, tokens_in: 0, tokens_out: 0, cost_micros: 0, unpriced: 0 },
};

describe('usage', () => {
  it("is counted by days of the store's time zone, the first and the last included", async () => {
    await store('U1', 'Asia/Jakarta');
    // In Jakarta, seven hours ahead, these are 1 March 00:00, 1 March 23:59 and 2 March 00:00
    await seedRun(database, { store: 'U1', at: '2026-02-28T17:00:00Z', ms: 100, costs: [10, 20] });
    await seedRun(database, { store: 'U1', at: '2026-03-01T16:59:59Z', ms: 300, costs: [null], status: 'handover' });
    await seedRun(database, { store: 'U1', at: '2026-03-01T17:00:00Z', ms: 50, costs: [5], status: 'fallback' });
    await seedRun(database, { store: 'U1', at: '2026-03-01T17:00:00Z', ms: 70, answer: [], costs: [] });
    await seedRun(database, { store: 'U1', at: '2026-02-28T16:59:59Z' });
    await seedRun(database, { store: 'U1', at: '2026-03-02T10:00:00Z', status: 'running', costs: [] });
    const first = { ...NOTHING, replies: 1, handovers: 1, tokens_in: 30, tokens_out: 15, cost_micros: 30, unpriced: 1 };
    const second = { ...NOTHING, fallbacks: 1, tokens_in: 10, tokens_out: 5, cost_micros: 5 };
    const data = {
      ...{ replies: 1, handovers: 1, fallbacks: 1, tokens_in: 40, tokens_out: 20, cost_micros: 35, unpriced: 1 },
      days: [
        { ...first, date: '2026-03-01', ms_p50: 200, ms_p95: 290 },
        { ...second, date: '2026-03-02', ms_p50: 60, ms_p95: 69 },
        { ...NOTHING, date: '2026-03-03', ms_p50: null, ms_p95: null },
      ],
    };
    expect(await used('U1', 'from=2026-03-01&to=2026-03-03')).toEqual({
      status: 200,
      body: { status: 'success', message: 'OK', data },
    });
  });

  it('of one agent leaves out those of the others, and of a store those of other stores', async () => {
    await store('U2', 'Asia/Tokyo');
    for (const agent of ['A1', 'A1', 'B1']) await seedRun(database, { store: 'U2', agent, at: '2026-03-01T05:00:00Z' });
    const of = async (query: string) => {
      const { data } = (await used('U2', `from=2026-03-01&to=2026-03-01${query}`)).body as { data: typeof NOTHING };
      return [data.replies, data.cost_micros];
    };
    expect([await of(''), await of('&agent_id=A1'), await of('&agent_id=nobody')]).toEqual([
      [3, 300],
      [2, 200],
      [0, 0],
    ]);
  });

  it('equals the sums over all runs and calls of a year, in a zone with summer time', async () => {
    await store('U3', 'Europe/Berlin');
    const hours = Array.from({ length: 60 }, (_, n) =>
      new Date(Date.UTC(2026, 0, 1 + n * 6, n % 24, 30)).toISOString(),
    );
    for (const [n, at] of hours.entries()) await seedRun(database, { store: 'U3', at, costs: [n, n % 3 ? 1 : null] });
    const [sums] = await database.query<{ tokens: string; cost: string; unpriced: number }>(
      `SELECT sum(tokens_in) AS tokens, sum(cost_micros) AS cost, count(*) FILTER (WHERE cost_micros IS NULL)::int AS unpriced
       FROM llm_requests WHERE store_id = 'U3'`,
    );
    const { data } = (await used('U3', 'from=2026-01-01&to=2026-12-31')).body as {
      data: typeof NOTHING & { days: (typeof NOTHING)[] };
    };
    expect([data.replies, data.tokens_in, data.cost_micros, data.unpriced, data.days.length]).toEqual([
      60,
      Number(sums?.tokens),
      Number(sums?.cost),
      sums?.unpriced,
      365,
    ]);
    expect(data.days.reduce((sum, day) => sum + day.replies, 0)).toBe(60);
  });

  it.each([
    ['backwards', 'from=2026-03-02&to=2026-03-01', { to: ['to must not be before from'] }],
    ['over more than 366 days', 'from=2025-01-01&to=2026-01-02', { to: ['to must be at most 365 days after from'] }],
    ['without days', '', { from: ['from is a required field'], to: ['to is a required field'] }],
  ])('%s is a 422', async (_, query, errors) =>
    expect(await used('S1', query)).toEqual({
      status: 422,
      body: { status: 'error', message: expect.any(String), code: 'validation', errors },
    }),
  );

  it('reads runs and calls of the store by an index', async () => {
    const values = ['U1', '2026-03-01', '2026-03-03', 'Asia/Jakarta', null];
    expectNoSeqScan(await explain(bot.database, USAGE, values), 'bot_runs', 'llm_requests', 'llm_requests_default');
  });
});
