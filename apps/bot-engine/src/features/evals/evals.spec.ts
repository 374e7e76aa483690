import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { internalCalls, useBot } from '../../app.fixture';
import { jobQueue } from '../../jobs';
import { seedRun } from '../runs/runs.fixture';
import type { EvalRunView } from './eval.dto';

const { database, bot, llm } = useBot();
const s1 = () => internalCalls(bot);

const at = expect.stringMatching(/^\d{4}-.*Z$/);
const refused = (status: number, message: string, code: string) => ({
  status,
  body: { status: 'error', message, code },
});

const newAgent = async (more: object = {}): Promise<string> => {
  const id = uuidv7();
  expect((await s1()('POST', '/agents', { id, name: 'E', prompt: 'Kamu adalah Nusa.', ...more })).status).toBe(201);
  return id;
};
const newCase = (agent: string, more: object = {}) => ({
  ...{ id: uuidv7(), agent_id: agent, name: 'greets', lines: ['halo'], expect: { must: ['halo'] } },
  ...more,
});
const add = async (one: object) => expect((await s1()('POST', '/evals', one)).status).toBe(201);
const runOf = async (id: string) => ((await s1()('GET', `/evals/runs/${id}`)).body as { data: EvalRunView }).data;
const play = async (wish: { agent_id: string } & Record<string, unknown>): Promise<EvalRunView> => {
  const { status, body } = await s1()('POST', '/evals/run', wish);
  expect(status).toBe(202);
  const { id } = (body as { data: EvalRunView }).data;
  return until(
    () => runOf(id),
    (run) => run.status === 'done' || run.status === 'failed',
  );
};

/** Everything that a turn would leave behind. */
const LEFT = [
  'bot_conversations',
  'bot_messages',
  'bot_runs',
  'bot_run_steps',
  'outbox_row',
  'bot_checkouts',
  'bot_gaps',
];
const left = async () => {
  const counts = LEFT.map((table) => `SELECT '${table}' AS name, count(*)::int AS rows FROM ${table}`);
  return database.query(counts.join(' UNION ALL '));
};

describe('a case', () => {
  it('is kept as it was sent, once by equal requests, and its id is taken for another body', async () => {
    const one = newCase(await newAgent(), { expect: { tools: ['check_stock'], handover: false, max_cost_micros: 9 } });
    const data = { ...one, created_at: at };
    const saved = { status: 201, body: { status: 'success', message: 'Case saved', data } };
    expect(await Promise.all([1, 2, 3].map(() => s1()('POST', '/evals', one)))).toEqual([saved, saved, saved]);
    expect(await s1()('GET', `/evals/${one.id}`)).toEqual({ status: 200, body: { ...saved.body, message: 'OK' } });
    expect(await s1()('POST', '/evals', { ...one, name: 'other' })).toEqual(
      refused(409, 'the id belongs to another case', 'id_taken'),
    );
    expect(await s1()('GET', `/evals?agent_id=${one.agent_id}`)).toMatchObject({
      body: { data: [data], meta: { next_cursor: null } },
    });
    expect((await s1()('DELETE', `/evals/${one.id}`)).status).toBe(200);
    expect(await s1()('GET', `/evals/${one.id}`)).toEqual(refused(404, 'case not found', 'not_found'));
  });

  it('that is taken from a run begins as it did and expects what it did', async () => {
    const history = [{ role: 'user', content: 'halo' }];
    const input = { history, burst: ['stok A ada?', 'yang merah'], absorbed: [], facts: { products: [] } };
    const run = await seedRun(database, { input });
    const id = uuidv7();
    const { status, body } = await s1()('POST', '/evals', { id, from_run: run });
    expect([status, body]).toMatchObject([
      201,
      {
        data: {
          ...{ id, agent_id: 'A1', name: 'stok A ada? yang merah', lines: ['stok A ada?\nyang merah'] },
          expect: { tools: ['check_stock'], sources: ['doc-1#2'], handover: false },
        },
      },
    ]);
    const [kept] = await database.query<{ before: object }>('SELECT before FROM bot_eval_cases WHERE id = $1', [id]);
    expect(kept?.before).toEqual({ history, facts: { products: [], orders: [], amounts: [], urls: [] } });
  });

  it('of nothing, of an unknown tool, agent or run is refused', async () => {
    const agent = await newAgent();
    expect((await s1()('POST', '/evals', { id: uuidv7() })).status).toBe(422);
    expect((await s1()('POST', '/evals', newCase(agent, { expect: { tools: ['x'] } }))).status).toBe(422);
    expect((await s1()('POST', '/evals', newCase(agent, { lines: Array(11).fill('x') }))).status).toBe(422);
    expect(await s1()('POST', '/evals', newCase('nobody'))).toEqual(refused(404, 'agent not found', 'not_found'));
    expect(await s1()('POST', '/evals', { id: uuidv7(), from_run: uuidv7() })).toEqual(
      refused(404, 'run not found', 'not_found'),
    );
  });
});

describe('an evaluation', () => {
  it('of twenty cases, one broken on purpose, fails only that one with its reason, and leaves nothing but its cost', async () => {
    const agent = await newAgent();
    const cases = Array.from({ length: 20 }, (_, n) =>
      newCase(agent, { name: `case ${n}`, ...(n === 7 ? { expect: { must: ['unobtainium'], handover: true } } : {}) }),
    );
    for (const one of cases) await add(one);
    const before = await left();
    const run = await play({ agent_id: agent });
    expect(run).toEqual({
      ...{ id: run.id, agent_id: agent, status: 'done', version: 1, model: 'sandbox-rules-main' },
      ...{ passed: 19, total: 20, error: null, created_at: at },
      cases: cases.map(({ id, name }, n) => ({
        ...{ id, name, passes: n !== 7, answer: [expect.stringMatching(/halo/i)], tools: [] },
        why: n === 7 ? ['it did not say "unobtainium"', 'it did not hand over to a person'] : [],
        ...{ cost_micros: expect.any(Number), ms: expect.any(Number) },
      })),
    });
    expect(await left()).toEqual(before);
    const [sum] = await database.query<{ purpose: string; calls: number; cost: string }>(
      'SELECT purpose, count(*)::int AS calls, sum(cost_micros) AS cost FROM llm_requests WHERE run_id = $1 GROUP BY 1',
      [run.id],
    );
    const cost = run.cases.reduce((total, one) => total + one.cost_micros, 0);
    expect(sum).toEqual({ purpose: 'eval', calls: 20, cost: String(cost) });
  });

  it('tries another prompt and model, as often as asked, and does not change the agent', async () => {
    const agent = await newAgent();
    await add(newCase(agent, { lines: ['halo', 'mau bicara dengan admin'], expect: { handover: true } }));
    const asked = llm.requests.length;
    const run = await play({ agent_id: agent, prompt: 'Prompt lain.', model: 'sandbox-rules-small', repeat: 3 });
    expect(run).toMatchObject({ status: 'done', passed: 1, model: 'sandbox-rules-small' });
    expect(run.cases[0]?.tools).toEqual(['handover_to_human']);
    const bodies = llm.requests.slice(asked).map(({ body }) => body as { model: string });
    expect(new Set(bodies.map(({ model }) => model))).toEqual(new Set(['sandbox-rules-small']));
    expect(bodies.every((body) => JSON.stringify(body).includes('Prompt lain.'))).toBe(true);
    expect(bodies).toHaveLength(6);
    expect((await s1()('GET', `/agents/${agent}`)).body).toMatchObject({
      data: { version: 1, model: null, prompt: 'Kamu adalah Nusa.' },
    });
  });

  it('that a killed process left in the middle goes on with the cases that are left, and counts none twice', async () => {
    const agent = await newAgent();
    const cases = [newCase(agent), newCase(agent), newCase(agent)];
    for (const one of cases) await add(one);
    const id = uuidv7();
    const kept = {
      id: cases[0]?.id,
      name: 'kept',
      passes: true,
      why: [],
      answer: [],
      tools: [],
      cost_micros: 1,
      ms: 1,
    };
    await database.query(
      `INSERT INTO bot_eval_runs (store_id, id, agent_id, version, model, status, wish, total, result)
       VALUES ('S1', $1, $2, 1, 'm', 'running', $3, 3, $4)`,
      [id, agent, JSON.stringify({ agent_id: agent }), JSON.stringify([kept])],
    );
    expect(await s1()('POST', '/evals/run', { agent_id: agent })).toEqual(
      refused(409, 'an evaluation of this agent is not over', 'eval_running'),
    );
    await jobQueue().enqueue(bot.database, 'eval.run', { storeId: 'S1', id });
    const run = await until(
      () => runOf(id),
      ({ status }) => status === 'done',
    );
    expect(run.cases.map((one) => [one.id, one.name])).toEqual(cases.map((one, n) => [one.id, n ? one.name : 'kept']));
  });

  it('that nobody goes on with is failed after a while, and the next one may begin', async () => {
    const agent = await newAgent();
    await add(newCase(agent));
    const id = uuidv7();
    await database.query(
      `INSERT INTO bot_eval_runs (store_id, id, agent_id, version, model, status, wish, total, updated_at)
       VALUES ('S1', $1, $2, 1, 'm', 'running', '{}', 1, now() - interval '21 minutes')`,
      [id, agent],
    );
    expect(await runOf(id)).toMatchObject({ status: 'failed', error: 'interrupted', passed: 0, total: 1 });
    expect(await play({ agent_id: agent })).toMatchObject({ status: 'done', passed: 1 });
  });

  it('ends when the budget of the store is used up, and tells so', async () => {
    const agent = await newAgent();
    await add(newCase(agent));
    await database.query(`UPDATE bot_stores SET day_cap_micros = 0 WHERE store_id = 'S1'`);
    const run = await play({ agent_id: agent });
    await database.query(`UPDATE bot_stores SET day_cap_micros = NULL WHERE store_id = 'S1'`);
    expect(run).toMatchObject({ status: 'failed', error: 'ai_budget_spent', cases: [] });
  });

  it('that its budget ends in the middle of a case leaves what that case has cost', async () => {
    const agent = await newAgent();
    await add({ ...newCase(agent), lines: ['halo', 'stok sandal?'] });
    const spent = `SELECT coalesce(sum(cost_micros), 0) + 1 FROM llm_requests WHERE store_id = 'S1'`;
    await database.query(`UPDATE bot_stores SET day_cap_micros = (${spent}) WHERE store_id = 'S1'`);
    const run = await play({ agent_id: agent });
    await database.query(`UPDATE bot_stores SET day_cap_micros = NULL WHERE store_id = 'S1'`);
    expect(run).toMatchObject({ status: 'failed', error: 'ai_budget_spent', cases: [] });
    const cost = 'SELECT purpose FROM llm_requests WHERE run_id = $1 AND cost_micros > 0';
    expect(await database.query(cost, [run.id])).toEqual([{ purpose: 'eval' }]);
  });

  it('of an agent without cases, and of an unknown one, is refused; that of another store is not found', async () => {
    const agent = await newAgent();
    expect(await s1()('POST', '/evals/run', { agent_id: agent })).toEqual(
      refused(409, 'the agent has no cases', 'no_cases'),
    );
    expect(await s1()('POST', '/evals/run', { agent_id: uuidv7() })).toEqual(
      refused(404, 'agent not found', 'not_found'),
    );
    await add(newCase(agent));
    const { id } = await play({ agent_id: agent });
    expect(await internalCalls(bot, 'S2')('GET', `/evals/runs/${id}`)).toEqual(
      refused(404, 'evaluation not found', 'not_found'),
    );
  });
});
