import { randomBytes } from 'node:crypto';
import { environment } from '@platform/runtime';
import { startHttpServer, startLlmSandbox, useDatabase, useOpened, useRunning } from '@platform/testing';
import { seed, startBot, TABLES, tokenFor, type Bot } from '../../app.fixture';

const PATH = '/api/ai-agent-testing';
const database = useDatabase(TABLES);
const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const ended = useOpened();
beforeAll(() => seed(database.url));

const start = (more: Record<string, string> = {}) =>
  startBot({
    ...{ DATABASE_URL: database.url, LLM_BASE_URL: `${llm.url}/v1`, TESTING_MODEL: 'sandbox-rules-small' },
    ...more,
  });
/** A service for one test; without Redis there may be no other. */
const testing = async (more?: Record<string, string>): Promise<Bot> => ended(await start(more));

const trial = (more: Record<string, unknown> = {}) => ({
  store_id: 'S1',
  agent_id: 'A1',
  prompt: 'Kamu adalah Nusa. Toko buka 09.00-21.00.',
  question: 'jam buka?',
  ...more,
});
const ANSWER = 'Toko buka 09.00-21.00.';
const brief = ({ status, body }: { status: number; body: unknown }) => ({ status, body });

/** Each test has a store of its own, because tests of a store are counted. */
/** Redis is shared, and remembers other runs. */
const RUN = randomBytes(4).toString('hex');
let stores = 0;
const newStore = async (): Promise<{ store_id: string; agent_id: string }> => {
  const store = `T${RUN}${++stores}`;
  await database.query(`INSERT INTO bot_stores (store_id, name) VALUES ($1, 'Toko')`, [store]);
  await database.query(`INSERT INTO bot_agents (store_id, id, name, prompt) VALUES ($1, 'A', 'Bot', 'p')`, [store]);
  return { store_id: store, agent_id: 'A' };
};
const rowsOfAllTables = async (): Promise<unknown[]> => {
  const tables = await database.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  const counts = tables.map(async ({ name }) => [name, await database.query(`SELECT count(*) FROM ${name}`)]);
  return Promise.all(counts);
};

describe('the test of a prompt', () => {
  const bot = useRunning(start);

  it('is answered with exactly the members of the contract, the history as it was received', async () => {
    const conversations = [
      { role: 'pelanggan', content: 'halo' },
      { role: 'AI', content: 'Halo kak' },
    ];
    const { status, body } = await bot.post(PATH, trial({ conversations, unknown: 'field' }));
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        statusCode: 201,
        idAgent: 'A1',
        idStore: 'S1',
        data: {
          question: 'jam buka?',
          answer: ANSWER,
          history: [...conversations, { role: 'user', content: 'jam buka?' }, { role: 'assistant', content: ANSWER }],
        },
      },
    });
  });

  it('is given to a user of another store too, and with ids that are numbers', async () => {
    await database.query(`INSERT INTO bot_stores (store_id, name) VALUES ('7', 'Tujuh')`);
    await database.query(`INSERT INTO bot_agents (store_id, id, name, prompt) VALUES ('7', '3', 'Bot', 'p')`);
    const headers = { authorization: `Bearer ${await tokenFor({ store: 'S2' })}` };
    const { status, body } = await bot.post(PATH, trial({ store_id: 7, agent_id: 3, conversations: null }), headers);
    expect({ status, body }).toMatchObject({ status: 201, body: { idAgent: '3', idStore: '7' } });
  });

  it('carries hostile characters to the model without those that nothing can store', async () => {
    const ids = await newStore();
    const question = 'jam\u0000 buka \ud83d 👟?';
    const { body } = await bot.post(PATH, trial({ ...ids, question }));
    expect(body).toMatchObject({ data: { question: 'jam buka \ufffd 👟?' } });
    expect(JSON.stringify(llm.requests.at(-1)?.body)).toContain('jam buka \ufffd 👟?');
  });
});

describe('the settings of tests of prompts', () => {
  it.each([
    ['sandbox-rules-small', 201],
    ['sandbox-500', 502],
  ])('%s is asked without a change of any row', async (TESTING_MODEL, status) => {
    const tested = await testing({ TESTING_MODEL });
    const ids = await newStore();
    const before = await rowsOfAllTables();
    expect((await tested.post(PATH, trial(ids))).status).toBe(status);
    expect(await rowsOfAllTables()).toEqual(before);
  });

  it('asks the fixed small model at temperature 0.1 without tools, whatever the agent and the settings say', async () => {
    const ids = await newStore();
    await database.query(`UPDATE bot_agents SET model = 'sandbox-500', temperature = 0.9 WHERE store_id = $1`, [
      ids.store_id,
    ]);
    const plain = await testing({ LLM_SEND_TEMPERATURE: '0' });
    const conversations = ['system', 'assistant', 'Bot', ' ai ', 'customer', 'tool'].map((role) => ({
      role,
      content: `as ${role}`,
    }));
    expect((await plain.post(PATH, trial({ ...ids, conversations }))).status).toBe(201);
    expect(llm.requests.at(-1)?.body).toEqual({
      model: 'sandbox-rules-small',
      temperature: 0.1,
      max_tokens: 800,
      stream: false,
      store: false,
      messages: [
        { role: 'system', content: trial().prompt },
        { role: 'system', content: 'as system' },
        { role: 'assistant', content: 'as assistant' },
        { role: 'assistant', content: 'as Bot' },
        { role: 'assistant', content: 'as  ai ' },
        { role: 'user', content: 'as customer' },
        { role: 'user', content: 'as tool' },
        { role: 'user', content: 'jam buka?' },
      ],
    });
  });

  it('passes without a token from an allowlisted address', async () => {
    const open = await testing({ ALLOWED_IPS: '127.0.0.0/8' });
    expect((await open.post(PATH, trial(await newStore()), {})).status).toBe(201);
  });
});

describe('a test of a prompt that cannot be answered', () => {
  it.each(['sandbox-429', 'sandbox-500', 'sandbox-hang', 'sandbox-stall', 'sandbox-html', 'sandbox-empty', 'gone'])(
    'because of %s is a 502 without a word of the provider',
    async (model) => {
      const failing = await testing({ TESTING_MODEL: model, BOT_STEP_TIMEOUT_MS: '300' });
      expect(brief(await failing.post(PATH, trial(await newStore())))).toEqual({
        status: 502,
        body: { statusCode: 502, message: 'model unavailable' },
      });
    },
  );

  it('because the text is only blanks is a 502 too', async () => {
    const message = { role: 'assistant', content: ' \n ' };
    const { url } = ended(
      await startHttpServer((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [{ message }] }));
      }),
    );
    const blank = await testing({ LLM_BASE_URL: `${url}/v1` });
    expect((await blank.post(PATH, trial(await newStore()))).status).toBe(502);
  });

  it('because the process stops is a 503 that asks for a repeat', async () => {
    const ids = await newStore();
    const stopping = await testing({
      TESTING_MODEL: 'sandbox-hang',
      BOT_STEP_TIMEOUT_MS: '60000',
      BOT_STOP_GRACE_MS: '0',
    });
    const before = llm.requests.length;
    const answer = stopping.post(PATH, trial(ids));
    while (llm.requests.length === before) await new Promise(setImmediate);
    const stopped = stopping.stop();
    const { status, body, headers } = await answer;
    await stopped;
    expect([status, body, headers.get('retry-after')]).toEqual([
      503,
      { statusCode: 503, message: 'temporarily unavailable' },
      '2',
    ]);
  });
});

describe('a refused test of a prompt', () => {
  const bot = useRunning(start);
  const notFound = (message: string) => ({ status: 404, body: { statusCode: 404, message } });

  it('names an unknown store, an unknown agent and an agent of another store', async () => {
    const { store_id } = await newStore();
    expect(brief(await bot.post(PATH, trial({ store_id: 'nowhere' })))).toEqual(notFound('store not found'));
    expect(brief(await bot.post(PATH, trial({ store_id })))).toEqual(notFound('agent not found'));
    expect(brief(await bot.post(PATH, trial({ agent_id: 'nobody' })))).toEqual(notFound('agent not found'));
  });

  it('is a 401 without a token, a 400 for no JSON and a 413 over 256 kB', async () => {
    const unauthenticated = { status: 401, body: { status: 'error', message: 'Unauthenticated' } };
    expect(brief(await bot.post(PATH, '{broken', {}))).toEqual(unauthenticated);
    const invalid = { status: 400, body: { statusCode: 400, message: 'invalid json' } };
    expect(brief(await bot.post(PATH, '{broken'))).toEqual(invalid);
    const form = { authorization: `Bearer ${await tokenFor()}`, 'content-type': 'application/x-www-form-urlencoded' };
    expect(brief(await bot.post(PATH, 'prompt=x', form))).toEqual(invalid);
    expect(brief(await bot.post(PATH, trial({ prompt: 'x'.repeat(270_000) })))).toEqual({
      status: 413,
      body: { statusCode: 413, message: 'request too large' },
    });
  });

  it.each<[string, Record<string, unknown>, [string, string, string][]]>([
    [
      'nothing',
      { store_id: undefined, agent_id: undefined, prompt: undefined, question: ' \n ' },
      ['store_id', 'agent_id', 'prompt', 'question'].map((field) => [field, 'required', 'is a required field']),
    ],
    [
      'texts that are too long and a store id that is no text',
      { store_id: { $gt: '' }, agent_id: 'a'.repeat(65), prompt: 'x'.repeat(8001), question: 'x'.repeat(4001) },
      [
        ['store_id', 'string', 'must be a string'],
        ['agent_id', 'max', 'must be a maximum of 64 characters in length'],
        ['prompt', 'max', 'must be a maximum of 8000 characters in length'],
        ['question', 'max', 'must be a maximum of 4000 characters in length'],
      ],
    ],
    [
      'too many lines',
      { conversations: Array.from({ length: 51 }, () => ({ role: 'user', content: 'x' })) },
      [['conversations', 'max', 'must contain at maximum 50 items']],
    ],
    [
      'lines without role and with a long text',
      { conversations: [{ content: 'x' }, { role: 'user', content: 'x'.repeat(4001) }] },
      [
        ['conversations[0].role', 'required', 'is a required field'],
        ['conversations[1].content', 'max', 'must be a maximum of 4000 characters in length'],
      ],
    ],
  ])('with %s is a 422 that names every field', async (_, more, errors) =>
    expect(brief(await bot.post(PATH, trial(more)))).toEqual({
      status: 422,
      body: {
        statusCode: 422,
        message: 'validation error',
        errors: errors.map(([field, tag, text]) => ({ field, tag, message: `${field} ${text}` })),
      },
    }),
  );
});

/** 31 tests at once, shared by the processes. */
const thirtyOne = async (processes: readonly Bot[]) => {
  const ids = await newStore();
  const tests = Array.from({ length: 31 }, (_, n) => processes[n % processes.length]?.post(PATH, trial(ids)));
  const refused = (await Promise.all(tests)).filter((answer) => answer?.status !== 201);
  return refused.map((answer) => [answer?.status, answer?.body, answer?.headers.get('retry-after')]);
};
const TOO_MANY = [[429, { statusCode: 429, message: 'too many requests' }, expect.stringMatching(/^[1-6]?\d$/)]];

it('a store has 30 tests a minute, whatever its neighbour does', async () => {
  const bot = await testing();
  expect(await thirtyOne([bot])).toEqual(TOO_MANY);
  expect((await bot.post(PATH, trial(await newStore()))).status).toBe(201);
});

const withRedis = (REDIS_URL: string): void =>
  it('two processes count the tests of a store together', async () => {
    expect(await thirtyOne([await testing({ REDIS_URL }), await testing({ REDIS_URL })])).toEqual(TOO_MANY);
  });

if (environment.REDIS_URL) withRedis(environment.REDIS_URL);
else process.stderr.write('REDIS_URL is not set: tests of prompts were counted in one process only.\n');
