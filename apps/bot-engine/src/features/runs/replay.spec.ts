import { uuidv7 } from '@platform/runtime';
import { internalCalls, question, useBot } from '../../app.fixture';
import { allOf } from '../../whole-store.fixture';
import { seedRun } from './runs.fixture';
import type { ReplayView, RunView } from './run.dto';

const { database, bot, llm, commerce } = useBot();
/** The catalogue is copied whenever it likes. */
const askedCommerce = () => commerce.seen.filter(({ url }) => !url.includes('sort=')).length;
const s1 = () => internalCalls(bot);

/** Everything that the store has but what calls of models have cost. */
const kept = async () => (await allOf(database, 'S1')).replace(/^llm_requests\w*:.*(?:\n(?!\w+:).*)*/gm, '');
const COSTS = `SELECT coalesce(sum(cost_micros), 0)::int AS micros FROM llm_requests WHERE store_id = 'S1'`;
const costs = async () => (await database.query<{ micros: number }>(COSTS))[0]?.micros ?? 0;

/** A turn of the bot; its run. */
const turn = async (message: string, more: object = {}): Promise<string> => {
  const answer = await bot.post('/api/chatbot-api', question({ message, ...more }));
  expect([answer.status, answer.headers.get('x-bot-turn-id')]).toEqual([201, expect.any(String)]);
  return answer.headers.get('x-bot-turn-id') ?? '';
};
const runOf = async (id: string) => ((await s1()('GET', `/runs/${id}`)).body as { data: RunView }).data;
const replay = async (id: string, wish: object = {}): Promise<ReplayView> => {
  const { status, body } = await s1()('POST', `/runs/${id}/replay`, wish);
  expect([status, body]).toEqual([200, expect.objectContaining({ status: 'success' })]);
  return (body as { data: ReplayView }).data;
};

describe('a replay of a committed turn', () => {
  it.each([
    ['a greeting', 'halo'],
    ['a search with a picture', 'cari sepatu lari hitam'],
    ['a question about stock', 'stok sepatu lari hitam ready?'],
    ['a quote', 'saya mau beli SEPATU-HITAM-42, nama Budi, alamat Jalan Mawar 1, kota Bandung'],
    ['a question that nothing answers', 'bisa retur kak?'],
    ['a hand-over', 'mau bicara dengan admin'],
  ])('that was %s gives the same answer by the same calls, and leaves nothing but its cost', async (_, message) => {
    const id = await turn(message);
    const run = await runOf(id);
    const [before, cost] = [[await kept(), askedCommerce()], await costs()];
    const told = await replay(id);
    expect([await kept(), askedCommerce()]).toEqual(before);
    expect(await costs()).toBe(cost + told.cost_micros);
    expect(told).toEqual({
      ...{ answer: run.answer, images: run.images, status: run.status, same: true, unpriced: 0 },
      steps: run.steps.map((step) => ({ ...step, ms: expect.any(Number) })),
      cost_micros: run.cost_micros,
    });
  });

  it('is told the customer, the conversation and the instructions of then', async () => {
    const first = question({ message: 'halo', name: 'Budi' });
    await bot.post('/api/chatbot-api', first);
    const id = await turn('stok sandal?', { idUser: first.idUser, name: 'Budi' });
    const then = llm.requests.findLast(({ body }) => JSON.stringify(body).includes('stok sandal?'));
    const asked = llm.requests.length;
    await replay(id);
    expect(llm.requests.slice(asked).at(-1)?.body).toEqual(then?.body);
  });

  it('with another prompt or model is played with those, and does not change the agent', async () => {
    const id = await turn('halo');
    const asked = llm.requests.length;
    await replay(id, { prompt: 'Prompt baru.', model: 'sandbox-rules-small' });
    const [request] = llm.requests.slice(asked);
    expect(request?.body).toMatchObject({ model: 'sandbox-rules-small' });
    expect(JSON.stringify(request?.body)).toContain('Prompt baru.');
    expect((await s1()('GET', '/agents/A1')).body).toMatchObject({
      data: { model: null, prompt: 'Kamu adalah Nusa.' },
    });
  });
});

describe('a replay', () => {
  it('whose model calls what was not recorded is told so, and asks nobody', async () => {
    const input = { history: [], burst: ['stok sepatu lari hitam ready?'], absorbed: [], facts: {} };
    const id = await seedRun(database, { input });
    const { steps, same } = await replay(id);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.map(({ result }) => result)).toEqual(steps.map(() => '{"error":"not recorded"}'));
    expect(same).toBe(false);
  });

  it('uses the recorded result of a call, whatever the shop would answer now', async () => {
    const input = { history: [], burst: ['cari sepatu lari hitam'], absorbed: [], facts: {} };
    const id = await seedRun(database, { input });
    const { steps } = await replay(id);
    const [call] = steps;
    const product = { sku: 'LAMA-1', name: 'Sepatu Lama', price: 123_000, stock: 2 };
    await database.query('UPDATE bot_run_steps SET assistant = $2, results = $3 WHERE run_id = $1', [
      ...[id, JSON.stringify({ text: null, calls: [{ id: 'c', tool: call?.tool, args: call?.args }] })],
      JSON.stringify([{ id: 'c', result: JSON.stringify({ data: [product] }), ms: 1, failed: false }]),
    ]);
    const again = await replay(id);
    expect(again.answer.join(' ')).toMatch(/Sepatu Lama.*123\.000/);
    expect(again.steps[0]).toMatchObject({ tool: 'search_products', result: JSON.stringify({ data: [product] }) });
  });

  it('of a store whose budget is used up, or of an agent that is gone, is refused', async () => {
    const agent = uuidv7();
    await s1()('POST', '/agents', { id: agent, name: 'G', prompt: 'p' });
    const id = await seedRun(database, { agent });
    await s1()('DELETE', `/agents/${agent}`);
    expect(await s1()('POST', `/runs/${id}/replay`, {})).toMatchObject({
      status: 404,
      body: { message: 'agent not found', code: 'not_found' },
    });
    expect((await s1()('GET', `/runs/${id}`)).status).toBe(200);
    const other = await seedRun(database);
    await database.query(`UPDATE bot_stores SET day_cap_micros = 0 WHERE store_id = 'S1'`);
    const refused = await s1()('POST', `/runs/${other}/replay`, {});
    await database.query(`UPDATE bot_stores SET day_cap_micros = NULL WHERE store_id = 'S1'`);
    expect(refused).toMatchObject({ status: 402, body: { status: 'error', code: 'ai_budget_spent' } });
  });
});
