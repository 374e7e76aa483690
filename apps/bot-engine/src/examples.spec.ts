import { serviceToken, useBot } from './app.fixture';

const { bot } = useBot();

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
