import { startHttpServer, until, useOpened } from '@platform/testing';
import { askOf } from './asked.fixture';
import { newStore, startCommerce } from './commerce.fixture';

const opened = useOpened();
const AGENTS = { status: 'success', message: 'OK', data: [], meta: { total: 0, current_page: 1, per_page: 15 } };
const TRIAL = { agent_id: 'A1', prompt: 'Kamu ramah.', question: 'jam buka?' };

/** bot-engine, which answers nothing to the stores of `hanging`, and nothing that a model writes to anybody. */
const startHanging = async () => {
  const hanging = new Set<string>();
  const waiting: string[] = [];
  const server = await startHttpServer((request, response) => {
    request.resume();
    const store = String(request.headers['x-store-id']);
    if (hanging.has(store) || request.url?.startsWith('/api/')) return void waiting.push(store);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(AGENTS));
  });
  return { ...server, hanging, waiting };
};

const started = async (more: Readonly<Record<string, string>>) => {
  const bot = opened(await startHanging());
  const commerce = opened(await startCommerce({ BOT_URL: bot.url, ...more }));
  const store = async () => {
    const storeId = await newStore(commerce);
    return { storeId, ask: askOf(commerce)(storeId) };
  };
  return { bot, store };
};

it('a store whose calls of an owner all hang is failed at once in the end, and others are answered as before', async () => {
  const { bot, store } = await started({ OWNER_TIMEOUT_MS: '5000' });
  const [noisy, quiet] = [await store(), await store()];
  bot.hanging.add(noisy.storeId);
  const asked = Array.from({ length: 12 }, () => noisy.ask('GET', '/agent'));
  await until(() => bot.waiting.length > 0);
  expect((await quiet.ask('GET', '/agent')).status).toBe(200);
  const answers = (await Promise.all(asked)).map(({ status }) => status);
  expect(new Set(answers)).toEqual(new Set([504, 502]));
  expect((await quiet.ask('GET', '/agent')).status).toBe(200);
});

it('more stores than there are places, all waiting for a model, leave places to whoever asks for something else', async () => {
  const { bot, store } = await started({ MODEL_TIMEOUT_MS: '120000' });
  const stores = [];
  for (let n = 0; n < 110; n += 1) stores.push(await store());
  const [quiet, ...noisy] = stores;
  if (!quiet) throw new Error('there is no store');
  const ended: unknown[] = [];
  const trials = noisy.map(async ({ ask }) => {
    const { status, body } = await ask('POST', '/testing/ai-agent', TRIAL);
    ended.push([status, body.code]);
    return status;
  });
  await until(
    () => bot.waiting.length,
    (count) => count >= 40,
  );
  expect((await quiet.ask('GET', '/warehouse')).status).toBe(200);
  expect((await quiet.ask('GET', '/agent')).status).toBe(200);
  await until(
    () => ended.length,
    (count) => count >= noisy.length - 40,
  );
  expect(ended).toEqual(Array.from({ length: noisy.length - 40 }, () => [429, 'rate_limited']));
  await bot.stop();
  expect((await Promise.all(trials)).filter((status) => status === 502)).toHaveLength(40);
});
