import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { startFakeBot } from '../../../clients/bot.notice.fake';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { startCommerce, type Commerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import type { Order } from '../../sales/orders/orders.dto';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import type { BotOrder } from '../door/door.dto';
import { callBot, SECRET } from '../door/door.fixture';
import { DELAYS } from './payment.notices';
import { announcePayment } from './public';

let [chat, bot, commerce] = [] as unknown as [
  Awaited<ReturnType<typeof startFakeMessages>>,
  Awaited<ReturnType<typeof startFakeBot>>,
  Commerce,
];
beforeAll(async () => {
  [chat, bot] = await Promise.all([startFakeMessages(), startFakeBot()]);
  commerce = await startCommerce({ CHAT_URL: chat.url, BOT_URL: bot.url, ENGINE_BOT_SECRET: SECRET });
});
afterAll(async () => {
  await commerce.stop();
  await Promise.all([chat.stop(), bot.stop()]);
});
beforeEach(() => {
  bot.state.mood = 'answer';
  chat.state.mood = 'answer';
});

let buyers = 0;
interface Sold {
  readonly shop: OrderShop;
  readonly order: Order;
  /** Of the buyer, who has no other order. */
  readonly phone: string;
}
const newPhone = (): string => `62812300${String((buyers += 1)).padStart(5, '0')}`;

/** An order of one hat that the bot has taken. */
const soldByBot = async (): Promise<Sold> => {
  const shop = await orderShop(commerce, 9);
  await shop.ask('POST', '/shipping/methods', { kind: 'flat', name: 'Kurir', cost: 0 });
  await shop.ask('POST', '/payment/bank-transfer', { bank_code: 'BCA', number: '1234567890', holder: 'Sari' });
  const phone = newPhone();
  const made = await callBot<BotOrder>(commerce, 'POST', '/create-checkout', {
    ...{ idStore: shop.storeId, idUser: phone, items: [{ sku: 'HAT-0', quantity: 1 }], idempotencyKey: uuidv7() },
    customer: { name: 'Budi', address: 'Jl. Dago 1', destination: 'Bandung' },
  });
  const { body } = await shop.ask<Order>('GET', `/order/number/${made.body.data.orderNumber}`);
  return { shop, order: body.data, phone };
};
const pay = ({ shop, order }: Sold) => shop.pay(order.id, { method: 'transfer' });
const paymentOf = async ({ order }: Sold): Promise<string> => {
  const [row] = await commerce.database.query<{ id: string }>('SELECT id FROM payment WHERE order_id = $1', [order.id]);
  return row?.id ?? '';
};
const noticesOf = ({ order }: Sold) => bot.received.filter(({ orderNumber }) => orderNumber === order.number);
/** Those that tell of the payment. */
const messagesTo = ({ phone, order }: Sold) =>
  chat.messages().filter(({ nohp, pesan_id }) => nohp === phone && pesan_id === `paid:${order.id}`);
const stateOf = async ({ order }: Sold) => {
  const [row] = await commerce.database.query<{ state: string; tries: number }>(
    'SELECT n.state, n.tries FROM bot_notice n JOIN payment p ON p.id = n.payment_id WHERE p.order_id = $1',
    [order.id],
  );
  return row && `${row.state} ${row.tries}`;
};
/** No job of these orders is left. */
const jobs = async (task: string): Promise<number> => {
  const [row] = await commerce.database.query<{ left: number }>(
    `SELECT count(*)::int AS left FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = $1`,
    [task],
  );
  return row?.left ?? 0;
};
const settled = () =>
  until(async () => (await jobs('order.paid.message')) === 0 && (await jobs('bot.payment-notice')) === 0);
const paidText = ({ order }: Sold): string =>
  `Terima kasih! Pembayaran Rp 10.000 untuk pesanan ${order.number} di Toko Nusa sudah kami terima.`;

describe('a payment for an order of the bot', () => {
  it('is told to the bot, which tells the buyer; the shop then tells nothing', async () => {
    const sold = await soldByBot();
    await pay(sold);
    await until(async () => (await stateOf(sold)) === 'notified 1');
    await settled();
    const paidAt = commerce.clock.now().toISOString();
    expect(noticesOf(sold)).toEqual([
      {
        ...{ event: 'payment.paid', idEvent: `bot:${await paymentOf(sold)}`, orderNumber: sold.order.number },
        ...{ idStore: sold.shop.storeId, amount: 10_000, currency: 'IDR', paidAt, provider: 'transfer' },
      },
    ]);
    expect(messagesTo(sold)).toEqual([]);
  });

  it.each(['unknown', 'elsewhere'] as const)(
    'that the bot tells nobody of (%s) is told by the shop, once',
    async (mood) => {
      bot.state.mood = mood;
      const sold = await soldByBot();
      await pay(sold);
      await until(async () => messagesTo(sold).length === 1);
      await settled();
      expect([await stateOf(sold), noticesOf(sold).length]).toEqual(['silent 1', 1]);
      expect(messagesTo(sold)).toEqual([
        {
          ...{ nohp: sold.phone, instance: 'dev1', team: '3', type: 'chat', pesan: paidText(sold) },
          pesan_id: `paid:${sold.order.id}`,
        },
      ]);
    },
  );

  it('waits while the bot is busy, under the same event, and neither is told twice', async () => {
    bot.state.mood = 'busy';
    const sold = await soldByBot();
    await pay(sold);
    await until(async () => (await stateOf(sold)) === 'waiting 1');
    expect(messagesTo(sold)).toEqual([]);
    bot.state.mood = 'answer';
    await retry(sold);
    await until(async () => (await stateOf(sold)) === 'notified 2');
    await settled();
    expect(new Set(noticesOf(sold).map(({ idEvent }) => idEvent)).size).toBe(1);
    expect(messagesTo(sold)).toEqual([]);
  });

  it('waits as long at a process whose clock is an hour behind: the bot is not given up within a moment', async () => {
    const real = Date.now;
    jest.spyOn(Date, 'now').mockImplementation(() => real() - 3_600_000);
    bot.state.mood = 'busy';
    const sold = await soldByBot();
    await pay(sold);
    await until(() => stateOf(sold));
    const payment = await paymentOf(sold);
    await commerce.database.query('UPDATE bot_notice SET tries = 5 WHERE payment_id = $1', [payment]);
    await retry(sold);
    const waits = `SELECT 1 FROM commerce_api_jobs._private_jobs WHERE key = 'bot:' || $1 AND run_at > now() + interval '1 minute'`;
    await until(async () => (await commerce.database.query(waits, [payment])).length === 1);
    jest.restoreAllMocks();
    bot.state.mood = 'answer';
    await retry(sold);
    await settled();
    expect((await stateOf(sold))?.split(' ')[0]).toBe('notified');
  });

  it('that the bot told and could not say so is not told again by the shop', async () => {
    bot.state.mood = 'cut';
    const sold = await soldByBot();
    await pay(sold);
    await until(async () => (await stateOf(sold)) === 'waiting 1');
    bot.state.mood = 'answer';
    await retry(sold);
    await until(async () => (await stateOf(sold)) === 'notified 2');
    await settled();
    expect([bot.told.get(`bot:${await paymentOf(sold)}`), messagesTo(sold)]).toEqual([true, []]);
  });

  it('that the bot never takes is given up, and told by the shop; a bot that comes back is not asked again', async () => {
    bot.state.mood = 'busy';
    const sold = await soldByBot();
    await pay(sold);
    await until(async () => (await stateOf(sold)) === 'waiting 1');
    await commerce.database.query('UPDATE bot_notice SET tries = $2 WHERE payment_id = $1', [
      await paymentOf(sold),
      DELAYS.length,
    ]);
    await retry(sold);
    await until(async () => messagesTo(sold).length === 1);
    // The try that was due by itself may come between
    expect([`given_up ${DELAYS.length + 1}`, `given_up ${DELAYS.length + 2}`]).toContain(await stateOf(sold));
    bot.state.mood = 'answer';
    const told = noticesOf(sold).length;
    await retry(sold);
    await settled();
    expect([noticesOf(sold).length, messagesTo(sold).length]).toEqual([told, 1]);
  });

  it('announced twenty times besides is one notice with one end', async () => {
    const sold = await soldByBot();
    await pay(sold);
    const paid = { storeId: sold.shop.storeId, paymentId: await paymentOf(sold) };
    await Promise.all(Array.from({ length: 20 }, () => announcePayment(commerce.database, jobQueue(), paid)));
    await until(async () => (await stateOf(sold)) === 'notified 1');
    await settled();
    expect([new Set(noticesOf(sold).map(({ idEvent }) => idEvent)).size, messagesTo(sold)]).toEqual([1, []]);
  });

  it('that was never paid tells nobody anything', async () => {
    const sold = await soldByBot();
    const paid = { storeId: sold.shop.storeId, paymentId: uuidv7() };
    await announcePayment(commerce.database, jobQueue(), paid);
    await settled();
    expect([noticesOf(sold), messagesTo(sold)]).toEqual([[], []]);
  });
});

/** The next try, now. */
const retry = async (sold: Sold): Promise<void> => {
  const paid = { storeId: sold.shop.storeId, paymentId: await paymentOf(sold) };
  await announcePayment(commerce.database, jobQueue(), paid);
};

describe('a payment for any other order', () => {
  const soldByHand = async (): Promise<Sold> => {
    const shop = await orderShop(commerce, 9);
    const phone = newPhone();
    const order = await shop.place({ ...shop.cart(1), contact: { name: 'Budi', phone } });
    return { shop, order, phone };
  };

  it('is told to the buyer by the shop, once however often the job runs, and to no bot', async () => {
    const sold = await soldByHand();
    await pay(sold);
    await until(async () => messagesTo(sold).length === 1);
    expect(messagesTo(sold).map(({ pesan }) => pesan)).toEqual([paidText(sold)]);
    const news = { storeId: sold.shop.storeId, orderId: sold.order.id, eventId: uuidv7(), at: '', actor: 'x' };
    for (let again = 0; again < 3; again += 1)
      await jobQueue().enqueue(commerce.database, 'order.paid.message', news, {});
    await settled();
    expect([messagesTo(sold).length, noticesOf(sold)]).toEqual([1, []]);
  });

  it('is told by the shop also when the bot was told, which has not taken it', async () => {
    bot.state.mood = 'elsewhere';
    const sold = await soldByHand();
    await pay(sold);
    await retry(sold);
    await until(async () => (await stateOf(sold)) === 'silent 1' && messagesTo(sold).length === 1);
    await settled();
    expect(messagesTo(sold)).toHaveLength(1);
  });

  it('is told also of an order whose down payment went back before', async () => {
    const sold = await soldByHand();
    await sold.shop.pay(sold.order.id, { amount: 4_000 });
    await sold.shop.ask('POST', `/order/${sold.order.id}/refund`, { method: 'manual', reason: 'Salah' }, uuidv7());
    await sold.shop.pay(sold.order.id);
    await until(async () => messagesTo(sold).length === 1);
    expect(messagesTo(sold).map(({ pesan }) => pesan)).toEqual([paidText(sold)]);
  });

  it('is not told to who wants no messages, nor of a part, nor when it was taken back', async () => {
    const [blocked, part, reversed] = [await soldByHand(), await soldByHand(), await soldByHand()];
    const [contact] = (await blocked.shop.ask<{ id: string }[]>('GET', '/contact')).body.data;
    await blocked.shop.ask('PUT', `/contact/${contact?.id}/block`, { blocked: true, reason: 'x' });
    await pay(blocked);
    await part.shop.pay(part.order.id, { amount: 4_000 });
    chat.state.mood = 'down';
    await pay(reversed);
    const unpaid = { order_id: reversed.order.id, status: 'unpaid' };
    await reversed.shop.ask('POST', '/order/change_payment_status', unpaid);
    chat.state.mood = 'answer';
    await settled();
    expect([blocked, part, reversed].map((sold) => messagesTo(sold).length)).toEqual([0, 0, 0]);
  });
});
