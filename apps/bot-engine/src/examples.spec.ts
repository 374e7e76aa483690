import { join } from 'node:path';
import { useRecordedAnswers } from '@platform/testing';
import { serviceToken, useBot } from './app.fixture';

const { bot } = useBot();
const recorded = useRecordedAnswers(join(__dirname, 'examples.answers.json'));

it('bot-engine answers every documented example as documented', async () => {
  const told = bot.service.endpoints.flatMap(({ method, path, examples = [] }) =>
    examples.map((example) => ({ method, path, ...example })),
  );
  const real = [];
  for (const { method, path, request } of told)
    real.push(method === 'get' ? await bot.get(path, await serviceToken()) : await bot.post(path, request));
  expect(real.map(({ status, body }) => ({ status, body }))).toEqual(
    told.map(({ status, response }) => ({ status, body: response })),
  );
  expect(told.map(({ path }) => path)).toEqual([
    '/api/test',
    '/api/notify-new-message',
    '/api/chatbot-api',
    '/api/ai-agent-testing',
    '/api/generate_welcome',
  ]);
});

it('the documented example of /health is an answer of the service', async () => {
  const { status, body } = await bot.get('/health');
  recorded('GET /health', { status, response: body });
});
