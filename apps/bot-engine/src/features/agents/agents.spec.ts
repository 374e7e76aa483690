import { uuidv7 } from '@platform/runtime';
import { DEMO, internalCalls, question, useBot } from '../../app.fixture';

const { database, bot } = useBot();
const s1 = () => internalCalls(bot, 'S1', 'U7');
const s2 = () => internalCalls(bot, 'S2');

const USUAL = {
  provider: 'openai',
  model: null,
  fallback_provider: null,
  fallback_model: null,
  temperature: 0.3,
  tools: [
    ...['search_products', 'check_stock', 'get_shipping_cost', 'create_checkout'],
    ...['check_payment_status', 'track_waybill', 'get_store_policy', 'handover_to_human'],
  ],
  window_ms: null,
  max_wait_ms: null,
  max_steps: null,
  turn_cost_cap_micros: null,
  fallback_text: 'Mohon ditunggu ya kak, tim kami akan segera membalas.',
  handover_text: 'Baik kak, kami sambungkan ke tim kami ya.',
  welcome_text: 'Halo kak, ada yang bisa kami bantu?',
  resume_after_min: 720,
  failure_resume_min: 15,
  vision: false,
  enabled: true,
};
const at = expect.stringMatching(/^\d{4}-.*Z$/);
const times = { created_at: at, updated_at: at };
const created = (agent: object) => ({
  status: 201,
  body: {
    status: 'success',
    message: 'Agent created',
    data: { ...USUAL, store_id: 'S1', version: 1, ...times, knowledge: [], ...agent },
  },
});
const NOT_FOUND = { status: 404, body: { status: 'error', message: 'agent not found', code: 'not_found' } };
const refusal = (status: number, message: string, code: string) => ({
  status,
  body: { status: 'error', message, code },
});

const newAgent = (more: object = {}) => ({ id: uuidv7(), name: 'Nusa', prompt: 'Kamu adalah Nusa.', ...more });
const make = async (more: object = {}) => {
  const agent = newAgent(more);
  expect((await s1()('POST', '/agents', agent)).status).toBe(201);
  return agent;
};
const updatedBy = async (id: string) =>
  (await database.query<{ by: string }>('SELECT updated_by AS by FROM bot_agents WHERE id = $1', [id]))[0]?.by;

describe('an agent that is created', () => {
  it('has usual values for what is not given, and the user who made it on record', async () => {
    const agent = newAgent();
    expect(await s1()('POST', '/agents', agent)).toEqual(created(agent));
    expect(await updatedBy(agent.id)).toBe('U7');
  });

  it('keeps every field that is given', async () => {
    const given = newAgent({
      ...{
        provider: 'openai',
        model: 'gpt-x',
        fallback_provider: 'openai',
        fallback_model: 'gpt-y',
        temperature: 0.75,
      },
      ...{ tools: ['handover_to_human'], window_ms: 0, max_wait_ms: 30_000, max_steps: 1, turn_cost_cap_micros: 5 },
      ...{ fallback_text: 'f', handover_text: 'h', welcome_text: 'w', resume_after_min: 1, failure_resume_min: 2 },
      ...{ vision: true, enabled: false },
    });
    expect(await s1()('POST', '/agents', given)).toEqual(created(given));
    expect((await s1()('GET', `/agents/${given.id}`)).body).toEqual({ ...created(given).body, message: 'OK' });
  });

  it('is made once by twenty equal requests, also after it was changed, and its id is taken for any other body', async () => {
    const agent = newAgent({ temperature: 0.5 });
    const { id, ...rest } = agent;
    const all = await Promise.all(Array.from({ length: 20 }, () => s1()('POST', '/agents', { ...rest, id })));
    expect(all).toEqual(all.map(() => created(agent)));
    await s1()('PUT', `/agents/${id}`, { name: 'Lain' });
    expect(await s1()('POST', '/agents', agent)).toEqual(created({ ...agent, name: 'Lain', version: 2 }));
    const taken = refusal(409, 'the id belongs to another agent', 'id_taken');
    expect(await s1()('POST', '/agents', { ...agent, name: 'Lain' })).toEqual(taken);
    await s1()('DELETE', `/agents/${id}`);
    expect(await s1()('POST', '/agents', agent)).toEqual(taken);
  });

  it('of another store may have the same id, and is another agent', async () => {
    const agent = await make();
    expect((await s2()('POST', '/agents', { ...agent, name: 'Dua' })).status).toBe(201);
    expect((await s1()('GET', `/agents/${agent.id}`)).body).toMatchObject({ data: { name: 'Nusa', store_id: 'S1' } });
  });

  it.each<[string, object, Record<string, string[]>]>([
    [
      'no id, name and prompt',
      { id: null, name: ' ', prompt: '' },
      {
        id: ['id is a required field'],
        name: ['name is a required field'],
        prompt: ['prompt is a required field'],
      },
    ],
    ['a misspelt field', { promt: 'x' }, { promt: ['promt is not a known field'] }],
    [
      'an unknown tool',
      { tools: ['delete_store'] },
      { tools: [expect.stringMatching(/^tools must be one of \[search_products /)] },
    ],
    ['a provider without a key', { provider: 'anthropic' }, { provider: ['provider must be one of [openai]'] }],
    [
      'values out of their bounds',
      { temperature: 1.1, max_steps: 7, window_ms: 30_001, name: 'n'.repeat(61) },
      {
        temperature: ['temperature must be 1 or less'],
        window_ms: ['window_ms must be 30000 or less'],
        max_steps: ['max_steps must be 6 or less'],
        name: ['name must be a maximum of 60 characters in length'],
      },
    ],
    ['U+0000', { prompt: 'a\0b' }, { prompt: ["prompt cannot contain the following 'U+0000'"] }],
  ])('with %s is a 422 that names the fields', async (_, wrong, errors) => {
    const answer = await s1()('POST', '/agents', newAgent(wrong));
    expect(answer).toEqual({
      status: 422,
      body: { status: 'error', message: expect.any(String), code: 'validation', errors },
    });
  });
});

describe('a change of an agent', () => {
  it('leaves what is absent, gives usual values for null, raises the version and notes who', async () => {
    const agent = await make({ model: 'gpt-x', window_ms: 10 });
    const changed = await s1()('PUT', `/agents/${agent.id}`, {
      prompt: 'Baru.',
      model: null,
      window_ms: null,
      version: 1,
    });
    expect(changed).toEqual({
      status: 200,
      body: {
        ...created({ ...agent, prompt: 'Baru.', model: null, window_ms: null, version: 2 }).body,
        message: 'Agent changed',
      },
    });
    await internalCalls(bot, 'S1', 'U8')('PUT', `/agents/${agent.id}`, { enabled: false });
    expect(await updatedBy(agent.id)).toBe('U8');
  });

  it('has usual values for all that null is given for, however it was made', async () => {
    const { provider, tools, ...other } = USUAL;
    const set = { temperature: 1, fallback_text: 'f', handover_text: 'h', welcome_text: 'w', resume_after_min: 1 };
    const agent = await make({ ...set, failure_resume_min: 2, vision: true, provider: 'openai', tools: [] });
    const { enabled, ...usual } = { ...other, provider, tools };
    const nulls = Object.fromEntries(Object.keys(usual).map((field) => [field, null]));
    const { body } = await s1()('PUT', `/agents/${agent.id}`, nulls);
    expect(body).toMatchObject({ data: { ...usual, enabled } });
  });

  it('of an older version is a conflict and changes nothing; of twenty of one version one is made', async () => {
    const { id } = await make();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, n) => s1()('PUT', `/agents/${id}`, { name: `N${n}`, version: 1 })),
    );
    const conflict = refusal(409, 'the agent has been changed since: read it again', 'version_conflict');
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(all.filter(({ status }) => status !== 200)).toEqual(Array.from({ length: 19 }, () => conflict));
    expect((await s1()('GET', `/agents/${id}`)).body).toMatchObject({ data: { version: 2 } });
  });
});

describe('an agent of another store, a deleted one and an unknown one', () => {
  it('are the same 404 by every method, and are left as they are', async () => {
    const { id } = await make();
    const gone = await make();
    expect(await s1()('DELETE', `/agents/${gone.id}`)).toEqual({
      status: 200,
      body: { status: 'success', message: 'Agent deleted', data: null },
    });
    const asked = [
      ...[s2()('GET', `/agents/${id}`), s2()('PUT', `/agents/${id}`, { name: 'x' }), s2()('DELETE', `/agents/${id}`)],
      ...[
        s1()('GET', `/agents/${gone.id}`),
        s1()('PUT', `/agents/${gone.id}`, {}),
        s1()('DELETE', `/agents/${gone.id}`),
      ],
      s1()('GET', `/agents/${uuidv7()}`),
    ];
    expect(await Promise.all(asked)).toEqual(asked.map(() => NOT_FOUND));
    expect((await s1()('GET', `/agents/${id}`)).body).toMatchObject({ data: { name: 'Nusa', version: 1 } });
  });

  it('are not in the list, which is in pages, newest first, and tells enabled from disabled', async () => {
    const s3 = internalCalls(bot, 'S3');
    const agents = [newAgent({ name: 'A' }), newAgent({ name: 'B', enabled: false }), newAgent({ name: 'C' })];
    for (const agent of agents) await s3('POST', '/agents', agent);
    const gone = newAgent();
    await s3('POST', '/agents', gone);
    await s3('DELETE', `/agents/${gone.id}`);
    const listed = async (query: string) => {
      const { data, meta } = (await s3('GET', `/agents${query}`)).body as { data: { name: string }[]; meta: object };
      return [data.map(({ name }) => name), meta];
    };
    const meta = { current_page: 1, per_page: 2, total: 3, last_page: 2, from: 1, to: 2 };
    expect(await listed('?per_page=2')).toEqual([['C', 'B'], meta]);
    expect(await listed('?per_page=2&page=2')).toEqual([['A'], { ...meta, current_page: 2, from: 3, to: 3 }]);
    expect((await listed('?enabled=false'))[0]).toEqual(['B']);
    const [first] = ((await s3('GET', '/agents')).body as { data: object[] }).data;
    expect(first).toEqual({ ...USUAL, ...agents[2], store_id: 'S3', version: 1, ...times });
  });
});

it('a deleted agent answers nobody: chatbot-api does not find it', async () => {
  const { id } = await make();
  expect((await bot.post('/api/chatbot-api', question({ idAgent: id }))).status).toBe(201);
  await s1()('DELETE', `/agents/${id}`);
  const { status, body } = await bot.post('/api/chatbot-api', question({ idAgent: id }));
  expect({ status, body }).toEqual({ status: 404, body: { statusCode: 404, message: 'agent not found' } });
});

it('an agent of the seed is one of the store, under whatever id it has', async () => {
  const { status, body } = await s1()('GET', `/agents/${DEMO.ai_agent.id}`);
  expect({ status, body }).toEqual({
    status: 200,
    body: { ...created(DEMO.ai_agent).body, message: 'OK' },
  });
});
