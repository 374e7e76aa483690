import type { Database } from '@platform/data';
import { until, useDatabase } from '@platform/testing';
import { botHeaders, DEMO, question, seed, startBot, TABLES, useBot } from '../../app.fixture';

const PATH = '/api/chatbot-api';
const FALLBACK = 'Mohon ditunggu ya kak, tim kami akan segera membalas.';
const KEY = 'canary-api-key-5d1f';
const WORDS = 'canary-words sepatu lari hitam';
const PROMPT = 'canary-prompt Kamu adalah Nusa.';

const { database, llm, bot, start } = useBot({
  shop: { ...DEMO, ai_agent: { ...DEMO.ai_agent, prompt: PROMPT } },
  environment: { LLM_API_KEY: KEY, LOG_LEVEL: 'debug', BOT_STEP_TIMEOUT_MS: '1000' },
});

const useModel = (model: string, fallback: string | null = null) =>
  database.query(`UPDATE bot_agents SET model = $1, fallback_model = $2`, [model, fallback]);
const rowsOf = (turn: string | null, rows: Pick<Database, 'query'> = database) =>
  rows.query(`SELECT model, status, http_status FROM llm_requests WHERE run_id = $1 ORDER BY id`, [turn]);

describe('a model that fails', () => {
  it.each([
    ['sandbox-429', ['rate', 'rate'], 429],
    ['sandbox-500', ['server', 'server'], 500],
    ['sandbox-hang', ['timeout', 'timeout'], null],
    ['sandbox-stall', ['timeout', 'timeout'], null],
    ['sandbox-html', ['shape', 'shape'], 200],
    ['sandbox-empty', ['shape', 'shape'], 200],
    ['unknown-model', ['bad_request'], 404],
  ])(
    '%s is answered 201 with the fallback text, one request row per call, and the same for a repeat',
    async (model, statuses, http) => {
      await useModel(model);
      const sent = question({ message: WORDS });
      const answer = await bot.post(PATH, sent);
      expect([answer.status, answer.body]).toEqual([
        201,
        {
          statusCode: 201,
          idUser: sent.idUser,
          idAgent: 'A1',
          idStore: 'S1',
          data: {
            answer: [FALLBACK],
            images: [],
            history: [
              { role: 'user', content: WORDS },
              { role: 'assistant', content: FALLBACK },
            ],
          },
        },
      ]);
      const turn = answer.headers.get('x-bot-turn-id');
      expect(botHeaders(answer)).toEqual({
        'x-bot-status': 'fallback',
        'x-bot-cost-usd': '0.000000',
        'x-bot-turn-id': turn,
        'x-bot-message-ids': `bot-${turn}-0`,
      });
      expect(await rowsOf(turn)).toEqual(statuses.map((status) => ({ model, status, http_status: http })));
      await useModel('sandbox-rules-main');
      const again = await bot.post(PATH, sent);
      expect([again.body, again.headers.get('x-bot-status')]).toEqual([answer.body, 'fallback']);
    },
  );

  it.each(['sandbox-429-1', 'sandbox-500-1', 'sandbox-hang-1', 'sandbox-stall-1', 'sandbox-html-1', 'sandbox-empty-1'])(
    '%s is answered by the second try',
    async (model) => {
      await useModel(model);
      const answer = await bot.post(PATH, question({ message: 'halo' }));
      expect([answer.status, answer.headers.get('x-bot-status')]).toEqual([201, 'answered']);
      expect(await rowsOf(answer.headers.get('x-bot-turn-id'))).toHaveLength(2);
    },
  );

  it('is followed by the fallback model, after a time-out without a second try', async () => {
    await useModel('sandbox-hang', 'sandbox-rules-small');
    const answer = await bot.post(PATH, question({ message: 'halo' }));
    expect(answer.headers.get('x-bot-status')).toBe('answered');
    expect(await rowsOf(answer.headers.get('x-bot-turn-id'))).toEqual([
      { model: 'sandbox-hang', status: 'timeout', http_status: null },
      { model: 'sandbox-rules-small', status: 'ok', http_status: 200 },
    ]);
  });

  it('by refusing the key is not asked again, and the log says what to check', async () => {
    const refused = await start({ LLM_API_KEY: 'invalid-canary-key' });
    const answer = await refused.post(PATH, question());
    expect(answer.headers.get('x-bot-status')).toBe('fallback');
    const rows = await rowsOf(answer.headers.get('x-bot-turn-id'), refused.database);
    await refused.stop();
    expect(rows).toEqual([{ model: 'sandbox-rules-main', status: 'auth', http_status: 401 }]);
    expect(refused.log.filter((line) => line.includes('check LLM_API_KEY'))).toHaveLength(1);
    expect(refused.log.join('\n')).not.toContain('invalid-canary-key');
  });

  it('never shows an error text of the provider to the customer', async () => {
    await useModel('sandbox-500');
    const { body } = await bot.post(PATH, question());
    expect(JSON.stringify(body)).not.toMatch(/sandbox|error|server/i);
  });
});

describe('a process that is told to stop', () => {
  const own = useDatabase(TABLES);
  const settings = () => ({
    ...{ DATABASE_URL: own.url, LLM_BASE_URL: `${llm.url}/v1`, BOT_STEP_TIMEOUT_MS: '20000', BOT_STOP_GRACE_MS: '50' },
  });
  const model = (name: string) => own.query('UPDATE bot_agents SET model = $1', [name]);

  it('ends a hanging turn with 503, and the next one answers it once, whoever asks', async () => {
    await seed(own.url);
    const hanging = await startBot(settings());
    await model('sandbox-hang');
    const before = llm.requests.length;
    const sent = question();
    const waiting = hanging.post(PATH, sent);
    await until(
      () => llm.requests.length,
      (count) => count > before,
    );
    const stopped = hanging.stop();
    const answer = await waiting;
    await stopped;
    expect([answer.status, answer.body, answer.headers.get('retry-after')]).toEqual([
      503,
      { statusCode: 503, message: 'temporarily unavailable' },
      '2',
    ]);
    expect(await own.query('SELECT 1 FROM bot_runs')).toEqual([]);
    await model('sandbox-rules-main');
    const next = await startBot(settings());
    const again = await Promise.all([next.post(PATH, sent), next.post(PATH, sent)]);
    await next.stop();
    expect(again.map(({ status, headers }) => [status, headers.get('x-bot-status')])).toEqual([
      [201, 'answered'],
      [201, 'answered'],
    ]);
    expect(again[0]?.body).toEqual(again[1]?.body);
    expect(await own.query('SELECT status FROM bot_runs')).toEqual([{ status: 'done' }]);
  });
});

const ATTEMPT = {
  ...{ provider: 'openai', model: 'sandbox-rules-main', status: 'ok', httpStatus: 200 },
  ...{ ms: expect.any(Number), requestId: expect.any(String) },
};

it('the log has one line per turn, and no key, prompt, message text or number of a customer', async () => {
  await useModel('sandbox-rules-main');
  const sent = question({ message: WORDS, name: 'canary-name' });
  await bot.post(PATH, sent);
  const log = bot.log.join('\n');
  expect(log).not.toMatch(/canary/);
  expect(log).not.toContain(sent.idUser);
  expect(log).not.toMatch(/eyJ/);
  const lines = bot.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.filter(({ message }) => message === 'turn').at(-1)).toEqual({
    level: 'info',
    time: expect.any(String),
    service: 'bot-engine',
    message: 'turn',
    requestId: expect.any(String),
    traceId: expect.any(String),
    turnId: expect.any(String),
    idStore: 'S1',
    idAgent: 'A1',
    customer: expect.stringMatching(/^[0-9a-f]{12}$/),
    status: 'done',
    tokens: { in: expect.any(Number), out: expect.any(Number) },
    cost_micros: expect.any(Number),
    steps: 1,
    tools: ['search_products'],
    merged: 0,
    absorbs: 0,
    ms: {
      queue: expect.any(Number),
      model: expect.any(Number),
      tools: expect.any(Number),
      db: expect.any(Number),
      total: expect.any(Number),
      answered: expect.any(Number),
    },
    attempts: [ATTEMPT, ATTEMPT],
  });
});
