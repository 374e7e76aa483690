import { startLlmSandbox, testDatabase, type LlmSandbox, type TestDatabase } from '@platform/testing';
import { seed, serviceToken, startBot, type Bot } from './app.fixture';
import { migrations, SCHEMA } from './data-source';

let database: TestDatabase;
let llm: LlmSandbox;
let bot: Bot;
beforeAll(async () => {
  database = await testDatabase({ schema: SCHEMA, migrations });
  llm = await startLlmSandbox({ port: 0 });
  await seed(database.url);
  bot = await startBot({ DATABASE_URL: database.url, LLM_BASE_URL: `${llm.url}/v1` });
});
afterAll(async () => {
  await bot?.stop();
  await llm?.close();
  await database?.stop?.();
});

it('every documented example is what the service answers', async () => {
  const told = bot.service.endpoints.flatMap(({ method, path, examples = [] }) =>
    examples.map((example) => ({ method, path, ...example })),
  );
  const real = [];
  for (const { method, path, request } of told)
    real.push(method === 'get' ? await bot.get(path, await serviceToken()) : await bot.post(path, request));
  expect(real.map(({ status, body }) => ({ status, body }))).toEqual(
    told.map(({ status, response }) => ({ status, body: response })),
  );
  expect(told.map(({ path }) => path)).toEqual(['/api/test', '/api/chatbot-api', '/api/notify-new-message']);
});
