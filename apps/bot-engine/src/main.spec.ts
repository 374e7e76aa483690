import {
  caller,
  runProgramCommand,
  startLlmSandbox,
  startProgram,
  until,
  useDatabase,
  useRunning,
  type RunningProgram,
} from '@platform/testing';
import { DEMO, question, seed, TABLES } from './app.fixture';
import { startKeyServer } from './key-server.fixture';

const main = 'apps/bot-engine/src/main.ts';

const CANARIES = { LLM_API_KEY: 'canary-api-key', SERVICE_CLIENT_SECRET: 'canary-client-secret' };

// Every test starts processes

const database = useDatabase(TABLES);
const llm = useRunning(() => startLlmSandbox({ port: 0 }));
const keys = useRunning(startKeyServer);

const settings = () => ({
  APP_ENV: 'test',
  DATABASE_URL: database.url,
  STORE_AUTH_URL: keys.url,
  LLM_BASE_URL: `${llm.url}/v1`,
  PORT: '0',
  HOST: '127.0.0.1',
  ...CANARIES,
});
const start = (env: Record<string, string> = settings()) => startProgram({ main, env });
const run = (...args: string[]) => runProgramCommand({ main, args, env: settings() });
const post = async ({ url }: RunningProgram, sent: object) => {
  const { status, body, headers } = await caller(url)('/api/chatbot-api', { token: keys.token, body: sent });
  return { status, body, ids: headers.get('x-bot-message-ids') };
};
const runsOf = async (customer: string) =>
  database.query<{ id: string; status: string }>(
    `SELECT r.id, r.status FROM bot_runs r JOIN bot_conversations c ON c.id = r.conv_id WHERE c.id_user = $1`,
    [customer],
  );
const asked = (text: string) => llm.requests.filter(({ body }) => JSON.stringify(body).includes(text)).length;

beforeAll(() => seed(database.url, { ...DEMO, ai_agent: { ...DEMO.ai_agent, prompt: 'canary-prompt' } }));

describe('kill -9 of bot-engine', () => {
  it('after a commit leaves the stored answer to the repeat, and the model is not asked again', async () => {
    const sent = question({ message: 'sebelum mati sepatu lari' });
    const first = await start();
    const waiting = Array.from({ length: 20 }, () => post(first, sent).catch(() => undefined));
    await until(
      () => runsOf(sent.idUser),
      (runs) => runs.some(({ status }) => status === 'done'),
    );
    expect(await first.stop('SIGKILL')).toBeNull();
    const answered = (await Promise.all(waiting)).filter((each) => each !== undefined);
    const [run] = await runsOf(sent.idUser);
    const calls = asked('sebelum mati');
    const second = await start();
    const again = await Promise.all(Array.from({ length: 20 }, () => post(second, sent)));
    await second.stop();
    expect(new Set(again.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(again[0]).toMatchObject({ status: 201, ids: `bot-${run?.id}-0` });
    for (const each of answered) expect(each).toEqual(again[0]);
    expect(await runsOf(sent.idUser)).toEqual([{ id: run?.id, status: 'done' }]);
    expect(asked('sebelum mati')).toBe(calls);
  });

  it('during a call of the model leaves nothing stored, and the repeat is answered once', async () => {
    const sent = question({ message: 'di tengah sepatu lari' });
    await database.query(`UPDATE bot_agents SET model = 'sandbox-hang'`);
    const first = await start();
    const waiting = post(first, sent).catch(() => 'cut off');
    await until(
      () => asked('di tengah'),
      (count) => count === 1,
    );
    await first.stop('SIGKILL');
    expect([await waiting, await runsOf(sent.idUser)]).toEqual(['cut off', []]);
    await database.query(`UPDATE bot_agents SET model = NULL`);
    const second = await start();
    const answers = [await post(second, sent), await post(second, sent)];
    await second.stop();
    expect(answers[0]).toMatchObject({ status: 201, body: { data: { history: expect.any(Array) } } });
    expect(answers[1]).toEqual(answers[0]);
    expect(await runsOf(sent.idUser)).toHaveLength(1);
  });
});

describe('the process of bot-engine', () => {
  it('serves, exits with 0 on SIGTERM, and prints no secret and no message text', async () => {
    const bot = await start({ ...settings(), LOG_LEVEL: 'debug' });
    const sent = question({ message: 'canary-message', name: 'canary-name' });
    expect((await post(bot, sent)).status).toBe(201);
    const paths = ['/health', '/ready', '/metrics', '/docs', '/docs.json'];
    const statuses = await Promise.all(paths.map(async (path) => (await fetch(bot.url + path)).status));
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(await bot.stop()).toBe(0);
    expect(bot.output()).not.toMatch(/canary|eyJ/);
    expect(bot.output()).not.toContain(sent.idUser);
  });

  it('lists its routes on command', async () => {
    const lines = (await run('routes')).output.trim().split('\n');
    // tools/checks compares those under /api and /internal with docs/contract
    expect(lines.filter((line) => !/,\/(api|internal)\//.test(line))).toEqual([
      'bot-engine,GET,/health,public',
      ...['/ready', '/metrics', '/docs', '/docs.json', '/docs/sockets', '/docs/sockets.json'].map(
        (path) => `bot-engine,GET,${path},public`,
      ),
    ]);
    expect(lines).toContain('bot-engine,POST,/api/chatbot-api,jwt');
    expect(lines).toContain('bot-engine,POST,/internal/agents,service');
  });

  it('changes nothing when it seeds again, and names what is wrong with a seed', async () => {
    const agents = () => database.query('SELECT * FROM bot_agents');
    const before = await agents();
    const shop = { ...DEMO, ai_agent: { ...DEMO.ai_agent, prompt: 'canary-prompt' }, owner: { password: 'x' } };
    expect((await run('seed', JSON.stringify(shop))).code).toBe(0);
    expect(await agents()).toEqual(before);
    expect(await run('seed', '{"store":{}}')).toEqual({
      code: 1,
      output: expect.stringContaining('store.store_id is a required field'),
    });
  });

  it('refuses the sandbox model in production, by its key, its model name and its own answer', async () => {
    const production = {
      ...settings(),
      ...{ APP_ENV: 'production', TRUST_PROXY: 'none', LLM_API_KEY: 'real-key', LLM_MODEL: 'gpt-x' },
      ...{ LLM_SMALL_MODEL: 'gpt-x', TESTING_MODEL: 'gpt-x', REDIS_URL: 'none', STORE_SOURCE: 'commerce' },
      ...{ COMMERCE_URL: 'http://127.0.0.1:9', CHAT_URL: 'http://127.0.0.1:9', ENGINE_BOT_SECRET: 'a secret' },
    };
    await expect(start(production)).rejects.toThrow(/LLM_BASE_URL is the sandbox model server/);
    await expect(start({ ...production, LLM_MODEL: 'sandbox-rules-main' })).rejects.toThrow(/LLM_MODEL is a/);
    await expect(start({ ...production, LLM_API_KEY: 'sandbox-key' })).rejects.toThrow(/LLM_API_KEY is the/);
    for (const name of ['LLM_API_KEY', 'COMMERCE_URL', 'CHAT_URL', 'ENGINE_BOT_SECRET'])
      await expect(start({ ...production, [name]: '' })).rejects.toThrow(`${name} is missing: set it to`);
    await expect(start({ ...production, STORE_SOURCE: 'local' })).rejects.toThrow(/STORE_SOURCE must be commerce/);
    const allowed = await start({ ...production, LLM_MODEL: 'sandbox-rules-main', ALLOW_SANDBOX_LLM: '1' });
    expect(await post(allowed, question())).toMatchObject({ status: 201 });
    await allowed.stop();
  });
});
