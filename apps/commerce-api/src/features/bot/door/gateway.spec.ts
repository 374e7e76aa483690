import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { startFakeBot } from '../../../clients/bot.notice.fake';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { succeeded } from '../../../asked.fixture';
import { deliver, gatewayShop, OK, startDesks, type GatewayShop } from '../../gateways/gateways.fixture';
import type { BotOrder, BotOrderState } from './door.dto';
import { callBot, SECRET } from './door.fixture';

let [chat, bot, commerce] = [] as unknown as [
  Awaited<ReturnType<typeof startFakeMessages>>,
  Awaited<ReturnType<typeof startFakeBot>>,
  Awaited<ReturnType<typeof startDesks>>,
];
beforeAll(async () => {
  [chat, bot] = await Promise.all([startFakeMessages(), startFakeBot()]);
  commerce = await startDesks({ CHAT_URL: chat.url, BOT_URL: bot.url, ENGINE_BOT_SECRET: SECRET });
});
afterAll(async () => {
  await commerce.stop();
  await Promise.all([chat.stop(), bot.stop()]);
});
beforeEach(() => {
  commerce.desks.a.mood = 'good';
  bot.state.mood = 'answer';
});

const text = expect.any(String) as string;
const NOTICE = '/api/pay_a/checkout-notification';
const botShop = async (): Promise<GatewayShop> => {
  const shop = await gatewayShop(commerce);
  await shop.ask('POST', '/shipping/methods', { kind: 'flat', name: 'Kurir', cost: 5_000 });
  return shop;
};
let buyers = 0;
const wanted = ({ storeId }: GatewayShop, more: object = {}) => ({
  ...{ idStore: storeId, idUser: `62812400${String((buyers += 1)).padStart(5, '0')}` },
  ...{ items: [{ sku: 'HAT-0', quantity: 2 }], idempotencyKey: uuidv7() },
  ...{ customer: { name: 'Budi', address: 'Jl. Dago 1', destination: 'Bandung' }, ...more },
});
const checkout = (body: object) => callBot<BotOrder>(commerce, 'POST', '/create-checkout', body);
const stateOf = (number: string | null) => callBot<BotOrderState>(commerce, 'GET', `/check-status/${number}`);
const atDesk = (number: string | null) => commerce.desks.a.payments.get(`${number}-1`);
const paidNotice = (number: string | null) =>
  commerce.desks.a.notice(NOTICE, { number: `${number}-1`, status: 'SUCCESS', amount: 25_000, id: 'x' });
const TOTALS = { subtotal: 20_000, discount: 0, shipping: 5_000, fee: 0, total: 25_000, currency: 'IDR' };

describe('the checkout of a bot at a shop with a gateway', () => {
  it('is paid at the provider, which tells the route of which the bot hears', async () => {
    const shop = await botShop();
    const { status, body } = await checkout(wanted(shop));
    const { orderNumber } = body.data;
    const paymentUrl = `https://desk.example/${orderNumber}-1`;
    expect({ status, body }).toEqual(
      succeeded(201, 'Order created', {
        ...{ ...TOTALS, orderNumber: text, paymentUrl, expiresAt: '2026-03-01T09:00:00.000Z', status: 'pending' },
      }),
    );
    expect(atDesk(orderNumber)).toMatchObject({ amount: 25_000, notifyPath: NOTICE });
  });

  it('asks no provider for a dry run, and one once for twenty of one key', async () => {
    const shop = await botShop();
    const before = commerce.desks.a.calls.create;
    expect((await checkout(wanted(shop, { dryRun: true }))).status).toBe(200);
    expect(commerce.desks.a.calls.create).toBe(before);
    const body = wanted(shop);
    const answers = await Promise.all(Array.from({ length: 20 }, () => checkout(body)));
    expect(new Set(answers.map((answer) => answer.body.data.orderNumber)).size).toBe(1);
    expect(await shop.levels()).toEqual(['10/2']);
    const numbers = [...commerce.desks.a.payments.keys()].filter((number) =>
      number.startsWith(answers[0]?.body.data.orderNumber ?? 'none'),
    );
    expect(numbers).toHaveLength(1);
  });

  it('stands when the provider is away, with our page, which tries again', async () => {
    const shop = await botShop();
    commerce.desks.a.mood = 'down';
    const { status, body } = await checkout(wanted(shop));
    expect([status, body.data.paymentUrl]).toEqual([
      201,
      expect.stringMatching(/^https:\/\/shop\.example\/pay\/[0-9a-f-]{36}\.\d+\.[0-9a-f]{64}$/),
    ]);
  });
});

describe('a payment of it', () => {
  it('told sixty times at once is one order paid, one event for the bot, and one word to the buyer', async () => {
    const shop = await botShop();
    const body = wanted(shop);
    const { orderNumber } = (await checkout(body)).body.data;
    const told = Array.from({ length: 60 }, () => deliver(commerce.url, NOTICE, paidNotice(orderNumber)));
    expect(new Set((await Promise.all(told)).map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify(OK)]),
    );
    const mine = () => bot.received.filter((notice) => notice.orderNumber === orderNumber);
    await until(async () => mine().length > 0 && [...bot.told.keys()].includes(mine()[0]?.idEvent ?? ''));
    const left = `SELECT count(*)::int AS left FROM bot_notice WHERE store_id = $1 AND state = 'waiting'`;
    const isWaiting = async () =>
      (await commerce.database.query<{ left: number }>(left, [shop.storeId]))[0]?.left !== 0;
    await until(async () => !(await isWaiting()));
    expect(new Set(mine().map(({ idEvent }) => idEvent)).size).toBe(1);
    expect(mine()[0]).toMatchObject({ event: 'payment.paid', amount: 25_000, provider: 'a', idStore: shop.storeId });
    expect(chat.messages().filter(({ nohp }) => nohp === body.idUser)).toEqual([]);
    expect((await stateOf(orderNumber)).body.data).toMatchObject({ status: 'paid', total: 25_000 });
    expect(await shop.postings()).toHaveLength(1);
    expect(await shop.levels()).toEqual(['8/0']);
  });

  it('of which the bot knows nothing is told by the shop, once', async () => {
    bot.state.mood = 'unknown';
    const shop = await botShop();
    const body = wanted(shop);
    const { orderNumber } = (await checkout(body)).body.data;
    await deliver(commerce.url, NOTICE, paidNotice(orderNumber));
    await until(async () => chat.messages().some(({ nohp }) => nohp === body.idUser));
    await deliver(commerce.url, NOTICE, paidNotice(orderNumber));
    const mine = chat.messages().filter(({ nohp }) => nohp === body.idUser);
    expect(mine.map(({ pesan }) => pesan)).toEqual([
      `Terima kasih! Pembayaran Rp 25.000 untuk pesanan ${orderNumber} di Toko Nusa sudah kami terima.`,
    ]);
  });
});
