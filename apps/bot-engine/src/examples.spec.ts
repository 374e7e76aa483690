import { join } from 'node:path';
import { useRecordedAnswers } from '@platform/testing';
import { DEMO, serviceToken, useBot } from './app.fixture';
import { internalStory, unmeasured } from './examples.fixture';

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

describe('examples of a shop of its own', () => {
  const own = useBot();

  it('every route for commerce-api answers as documented', async () => {
    const story = await internalStory(own.bot);
    for (const { route, status, ...told } of story) {
      expect([route, status]).toEqual([route, expect.any(Number)]);
      recorded(route, { status, ...(unmeasured(told) as typeof told) });
    }
    const routes = own.bot.service.endpoints.flatMap(({ internal, method, path }) =>
      internal ? [`${method.toUpperCase()} ${path}`] : [],
    );
    expect(story.map(({ route }) => route).sort()).toEqual(routes.sort());
    expect(story.filter(({ status }) => status >= 300)).toEqual([]);
  });

  it('a payment is answered as documented', async () => {
    const orderNumber = 'INV-260301-ABC234';
    const totals = { subtotal: 250_000, discount: 0, shipping: 18_000, fee: 0, total: 268_000, currency: 'IDR' };
    const order = { orderNumber, key: '', hash: '', storeId: 'S1', phone: '', totals };
    own.commerce.orders.all.push({ ...order, status: 'paid', paidAt: '2026-03-01T08:00:00.000Z', waybill: null });
    const request = { idEvent: `bot:${orderNumber}`, event: 'payment.paid', orderNumber, idStore: DEMO.store.store_id };
    const { status, body } = await own.bot.post('/api/webhook/payment-notification', request);
    expect(status).toBe(201);
    recorded('POST /api/webhook/payment-notification', { request, status, response: body });
  });
});
