// bot-engine itself, as a process beside this service: what the face does with its answers, and without them.
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { invalid, refused, succeeded, type Ask } from '../../asked.fixture';
import { startAgentsWorld } from './agents.fixture';
import type { Agent, AgentUsage } from './agents/agents.dto';
import type { TrialAnswer, TrialView } from './testing/testing.dto';

const world = useRunning(startAgentsWorld);

const NEW = { name: 'Nusa', prompt: 'Kamu ramah.', tools: ['check_stock'], temperature: 0.2 };
const FAQ = { kind: 'faq', title: 'Jam buka', text: 'Toko buka 09.00-21.00.' };
const make = async (ask: Ask, more: object = {}) => (await ask<Agent>('POST', '/agent', { ...NEW, ...more })).body.data;
const listed = async (ask: Ask) => (await ask<Agent[]>('GET', '/agent')).body;
const instant = expect.stringMatching(/^\d{4}-.*Z$/);
const known = {
  ...{ id: expect.any(String), kind: 'faq', title: 'Jam buka', source: 'text' },
  ...{ status: expect.stringMatching(/^(processing|ready)$/), error: null, updated_at: instant },
};
const unknown = refused(404, 'not_found', 'Agent not found');

describe('an agent', () => {
  it("is made, shown, changed, switched and deleted at bot-engine, under the store's own token", async () => {
    const { storeId, ask } = await world.store();
    const made = await ask<Agent>('POST', '/agent', NEW);
    const { id } = made.body.data;
    const agent = {
      ...{
        id: expect.any(String),
        store_id: storeId,
        ...NEW,
        provider: 'openai',
        model: null,
        fallback_provider: null,
      },
      ...{ fallback_model: null, window_ms: null, max_wait_ms: null, max_steps: null, turn_cost_cap_micros: null },
      ...{ fallback_text: expect.any(String), handover_text: expect.any(String), welcome_text: expect.any(String) },
      ...{ resume_after_min: expect.any(Number), failure_resume_min: expect.any(Number), vision: false, enabled: true },
      ...{ version: 1, created_at: instant, updated_at: instant, knowledge: [] },
    };
    expect(made).toEqual(succeeded(201, 'Agent created', agent));
    expect(await ask('GET', `/agent/${id}`)).toEqual(succeeded(200, 'OK', agent));
    const { knowledge: _none, ...row } = agent;
    expect((await listed(ask)).data).toEqual([row]);
    const renamed = { ...agent, name: 'Nusa Dua', version: 2 };
    const change = { name: 'Nusa Dua', model: null, version: 1 };
    expect(await ask('PUT', `/agent/${id}`, change)).toEqual(succeeded(200, 'Agent updated', renamed));
    expect(await ask('PUT', `/agent/${id}`, change)).toEqual(
      refused(409, 'version_conflict', 'Somebody else has changed it since: read it again'),
    );
    const off = { ...renamed, enabled: false, version: 3 };
    expect(await ask('PUT', `/agent/${id}/status`, { enabled: false })).toEqual(succeeded(200, 'Agent updated', off));
    expect(await world.counted(storeId)).toBe(1);
    expect(await ask('DELETE', `/agent/${id}`)).toEqual(succeeded(200, 'Agent deleted', null));
    expect([await ask('GET', `/agent/${id}`), await ask('DELETE', `/agent/${id}`)]).toEqual([unknown, unknown]);
    expect(await world.counted(storeId)).toBe(0);
    const wrong = await ask('POST', '/agent', { ...NEW, tools: ['rm'] });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'validation', errors: { tools: [expect.any(String)] } } });
    expect(await world.counted(storeId)).toBe(0);
  });

  it('is one of twenty that were asked for at once under one key, and another request under it is refused', async () => {
    const { storeId, ask } = await world.store();
    const key = uuidv7();
    const all = await Promise.all(Array.from({ length: 20 }, () => ask<Agent>('POST', '/agent', NEW, key)));
    expect([...new Set(all.map(({ status, body }) => `${status} ${body.data.id}`))]).toHaveLength(1);
    expect([(await listed(ask)).data.length, await world.counted(storeId)]).toEqual([1, 1]);
    expect(await ask('POST', '/agent', { ...NEW, name: 'Lain' }, key)).toEqual(
      refused(409, 'idempotency_mismatch', 'Idempotency-Key was used with a different request'),
    );
    expect(await world.counted(storeId)).toBe(1);
    const other = await world.store();
    expect((await other.ask<Agent>('POST', '/agent', NEW, key)).body.data.id).not.toBe(all[0]?.body.data.id);
  });

  it('of twenty at once is made as often as the plan has room for, and the owner is not asked for the others', async () => {
    const { storeId, ask } = await world.store();
    await world.allow(storeId, 3);
    const all = await Promise.all(Array.from({ length: 20 }, () => ask('POST', '/agent', NEW)));
    expect(all.filter(({ status }) => status === 201)).toHaveLength(3);
    const over = refused(402, 'plan_limit', 'The plan allows 3 (agents)', { metric: 'agents', limit: 3 });
    expect(all.filter(({ status }) => status !== 201)).toEqual(Array(17).fill(over));
    expect([(await listed(ask)).data.length, await world.counted(storeId)]).toEqual([3, 3]);
  });

  it('of another store is found by no route, and stays as it is', async () => {
    const [mine, theirs] = [await world.store(), await world.store()];
    const { id } = await make(theirs.ask);
    const doc = (await theirs.ask<{ id: string }>('POST', `/agent/${id}/knowledge`, FAQ)).body.data;
    const own = await make(mine.ask);
    const asked: [string, string, object?][] = [
      ['GET', `/agent/${id}`],
      ['PUT', `/agent/${id}`, { name: 'Hijacked' }],
      ['PUT', `/agent/${id}/status`, { enabled: false }],
      ['DELETE', `/agent/${id}`],
      ['POST', `/agent/${id}/knowledge`, FAQ],
      ['DELETE', `/agent/${id}/knowledge/${doc.id}`],
      ['DELETE', `/agent/${own.id}/knowledge/${doc.id}`],
      ['GET', `/agent/${id}/usage`],
      ['POST', '/testing/ai-agent', { agent_id: id, prompt: 'p', question: 'q' }],
      ['GET', `/testing/sessions/${uuidv7()}`],
    ];
    for (const [method, path, body] of asked)
      expect([path, await mine.ask(method, path, body)]).toEqual([path, unknown]);
    expect((await theirs.ask<Agent>('GET', `/agent/${id}`)).body.data).toMatchObject({ name: 'Nusa', enabled: true });
  });
});

describe('the knowledge of an agent', () => {
  const add = async (ask: Ask, id: string, body: unknown, key?: string) =>
    ask<{ id: string; source: string }>('POST', `/agent/${id}/knowledge`, body, key);

  it('is a text once under one key, and is removed', async () => {
    const { ask } = await world.store();
    const { id } = await make(ask);
    const key = uuidv7();
    const [first, again] = [await add(ask, id, FAQ, key), await add(ask, id, FAQ, key)];
    expect(first).toEqual(succeeded(202, 'OK', known));
    expect(again.body.data.id).toBe(first.body.data.id);
    expect((await add(ask, id, { ...FAQ, text: 'Lain' }, key)).body.code).toBe('idempotency_mismatch');
    const none = await add(ask, id, { kind: 'faq', title: 'Kosong' });
    expect(none).toEqual(invalid('text', 'exactly one of text, file and url is required'));
    expect((await ask<Agent>('GET', `/agent/${id}`)).body.data.knowledge).toHaveLength(1);
    const path = `/agent/${id}/knowledge/${first.body.data.id}`;
    expect(await ask('DELETE', path)).toEqual(succeeded(200, 'Knowledge removed', null));
    expect(await ask('DELETE', path)).toEqual(unknown);
  });

  it('is a file of five megabytes that goes on as it is, and a page that the engine reads', async () => {
    const { storeId, ask } = await world.store();
    const { id } = await make(ask);
    const line = 'Barang dapat dikembalikan dalam tujuh hari.\n';
    const form = (bytes: string, name: string) => {
      const data = new FormData();
      data.append('kind', 'policy');
      data.append('title', 'Retur "toko" \u{1f600}');
      data.append('file', new Blob([bytes], { type: 'text/plain' }), name);
      return data;
    };
    const file = await add(ask, id, form(line.repeat(400), 'retur"baru".txt'));
    expect(file).toMatchObject({ status: 202, body: { data: { source: 'file', title: 'Retur "toko" \u{1f600}' } } });
    const rows = await world.bot.database.query<{ text: string; source_ref: string }>(
      'SELECT text, source_ref FROM bot_engine.bot_knowledge_docs WHERE store_id = $1',
      [storeId],
    );
    expect(rows.map(({ text, source_ref }) => [text.trim(), source_ref])).toEqual([
      [line.repeat(400).trim(), 'retur"baru".txt'],
    ]);
    expect((await add(ask, id, form('<html><body>x</body></html>', 'a.html'))).status).toBe(415);
    expect((await add(ask, id, form('x'.repeat(5 * 1024 * 1024 + 1), 'a.txt'))).status).toBe(413);
    const page = (url: string) => add(ask, id, { kind: 'policy', title: 'Laman', url });
    for (const inner of [
      'https://127.0.0.1/',
      'https://2852039166/',
      'https://[2002:7f00:1::]/',
      'http://toko.example/',
    ])
      expect(await page(inner)).toEqual(
        invalid('url', 'url must be an https address that everybody can reach, without a password'),
      );
    const url = await page('https://laman.invalid/retur');
    expect(url.body.data.source).toBe('url');
    const failed = await until(
      async () => (await ask<Agent>('GET', `/agent/${id}`)).body.data.knowledge.find((doc) => doc.source === 'url'),
      (doc) => doc?.status !== 'processing',
    );
    expect(failed).toMatchObject({ status: 'failed', error: 'unreachable' });
  });
});

describe('what an agent did', () => {
  it('is counted by days of the last thirty, or of those that are asked for', async () => {
    const { ask } = await world.store();
    const { id } = await make(ask);
    const usage = (await ask<AgentUsage>('GET', `/agent/${id}/usage`)).body.data;
    expect(usage.days).toHaveLength(30);
    const date = '2026-03-01';
    const day = { replies: 0, tokens_in: 0, tokens_out: 0, cost_micros: 0 };
    expect(await ask('GET', `/agent/${id}/usage?from=${date}&to=${date}`)).toEqual(
      succeeded(200, 'OK', { ...day, unpriced: 0, days: [{ ...day, date }] }),
    );
    expect(await ask('GET', `/agent/${id}/usage?from=${date}&to=2026-02-01`)).toEqual(
      invalid('to', 'to must not be before from'),
    );
  });

  it('in a trial is answered by the small model and kept as a session', async () => {
    const { ask } = await world.store();
    const { id } = await make(ask);
    const trial = { agent_id: id, prompt: 'Kamu adalah Nusa. Toko buka 09.00-21.00.', question: 'jam buka?' };
    const first = (await ask<TrialAnswer>('POST', '/testing/ai-agent', trial)).body.data;
    expect(first).toMatchObject({
      question: 'jam buka?',
      answer: 'Toko buka 09.00-21.00.',
      session_id: expect.any(String),
    });
    const conversations = first.history.map(({ role, content }) => ({ role, content }));
    await ask('POST', '/testing/ai-agent', { ...trial, conversations, session_id: first.session_id });
    const { data } = (await ask<TrialView>('GET', `/testing/sessions/${first.session_id}`)).body;
    expect(data.transcript.map(({ content }) => content)).toEqual([
      ...['jam buka?', 'Toko buka 09.00-21.00.'],
      ...['jam buka?', 'Toko buka 09.00-21.00.'],
    ]);
    const { transcript: _lines, prompt: _prompt, ...row } = data;
    expect((await ask('GET', `/testing/sessions?agent_id=${id}`)).body).toMatchObject({
      data: [row],
      meta: { next_cursor: null },
    });
    expect((await ask('GET', '/testing/sessions?cursor=x')).status).toBe(422);
  });
});

it('is a bad gateway at every route while bot-engine is slow or away; what is not known is looked up, and nothing counted twice', async () => {
  const { storeId, ask } = await world.store();
  const { id } = await make(ask);
  const key = uuidv7();
  const routes: [string, string, object?, string?][] = [
    ['GET', '/agent'],
    ['POST', '/agent', NEW, key],
    ['GET', `/agent/${id}`],
    ['PUT', `/agent/${id}`, { name: 'X' }],
    ['PUT', `/agent/${id}/status`, { enabled: false }],
    ['DELETE', `/agent/${id}`],
    ['POST', `/agent/${id}/knowledge`, FAQ],
    ['DELETE', `/agent/${id}/knowledge/${uuidv7()}`],
    ['GET', `/agent/${id}/usage`],
    ['GET', '/testing/sessions'],
    ['GET', `/testing/sessions/${uuidv7()}`],
  ];
  const answers = () =>
    Promise.all(
      routes.map(async ([method, path, body, once]) => {
        const answer = await ask(method, path, body, once);
        return [answer.status, answer.body.code];
      }),
    );
  world.bot.freeze();
  // Those that come when five have waited in vain fail at once
  const slow = await answers();
  expect(slow.filter(([status]) => status === 504).length).toBeGreaterThanOrEqual(5);
  expect(slow.filter(([, code]) => code !== 'provider_timeout' && code !== 'provider_error')).toEqual([]);
  world.bot.awaken();
  await world.bot.kill();
  expect(await answers()).toEqual(routes.map(() => [502, 'provider_error']));
  expect(await world.counted(storeId)).toBe(2);
  await world.bot.restart();
  await until(async () => (await world.hurry(), (await ask('GET', '/agent')).status === 200));
  const kept = async () => (await listed(ask)).data.length;
  await until(async () => (await world.hurry(), (await world.counted(storeId)) === (await kept())));
  await until(async () => (await ask<Agent>('POST', '/agent', NEW, key)).status === 201);
  expect([await kept(), await world.counted(storeId)]).toEqual([2, 2]);
});

it('no table here holds an agent, what it knows, a trial, a broadcast or its recipients', async () => {
  const columns = await world.commerce.database.query<{ told: string }>(
    `SELECT table_name || '.' || column_name AS told FROM information_schema.columns
     WHERE table_schema = 'commerce_api' ORDER BY 1`,
  );
  const suspicious = /(^|_)(agents?|prompts?|knowledge|transcript|broadcasts?|campaigns?|recipients?)(_|\.|$)/;
  expect(
    columns.map(({ told }) => told).filter((told) => suspicious.test(told.replace(/bot_agent_id|user_agent/, 'x'))),
  ).toEqual([]);
});
