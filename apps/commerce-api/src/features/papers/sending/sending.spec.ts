import { until, useRunning } from '@platform/testing';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { refused, succeeded } from '../../../asked.fixture';
import { bearer, NOW, startCommerce, useCommerce } from '../../../commerce.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import { textOf } from '@platform/testing/pdf';

const chat = useRunning(startFakeMessages);
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }));
/** A service that knows no chat-backend. */
const alone = useCommerce();
afterEach(() => {
  chat.state.mood = 'answer';
  commerce.mails.length = 0;
});

const text = expect.any(String) as string;
const job = {
  ...{ id: text, kind: 'invoice.send', state: 'queued', progress: { done: 0, total: 1 }, errors: [], result: null },
  created_at: NOW,
};
const EMAIL = 'budi@shop.example';

interface Shop extends OrderShop {
  readonly order: Order;
  readonly path: string;
}
const shopWithOrder = async (service = commerce, email: string | undefined = EMAIL): Promise<Shop> => {
  const shop = await orderShop(service, 9);
  const body = shop.cart(1);
  const order = (await shop.ask<Order>('POST', '/order', { ...body, contact: { ...body.contact, email } })).body.data;
  return { ...shop, order, path: `/order/${order.id}/send_invoice` };
};
/** Other messages tell its buyer of an order. */
const documents = () => chat.messages().filter(({ type }) => type === 'document');
const states = async ({ storeId }: Shop) =>
  commerce.database.query<{ state: string; errors: object[] }>(
    `SELECT state, errors FROM job_row WHERE store_id = $1 AND kind = 'invoice.send' ORDER BY id`,
    [storeId],
  );
/** Jobs whose attempt failed are due now, not in some seconds. */
const hurry = () =>
  commerce.database.query(
    `UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE attempts < max_attempts AND locked_at IS NULL`,
  );
const ended = (shop: Shop, state = 'done') =>
  until(async () => {
    await hurry();
    return (await states(shop)).every((one) => one.state === state);
  });

describe('an invoice', () => {
  it('goes by e-mail as a PDF with its number and its sum', async () => {
    const shop = await shopWithOrder();
    expect(await shop.ask('POST', shop.path, { channel: 'email' })).toEqual(succeeded(202, 'OK', job));
    await ended(shop);
    const [mail, ...others] = commerce.mails;
    const { attachments = [], ...letter } = mail ?? { to: '' };
    expect({ letter, others }).toEqual({
      letter: {
        ...{ to: EMAIL, subject: `Faktur ${shop.order.number} - Toko Nusa`, messageId: text },
        text: `Halo Budi, terlampir faktur ${shop.order.number} dari Toko Nusa.\n\nTotal: Rp 10.000\nSisa tagihan: Rp 10.000`,
      },
      others: [],
    });
    expect(attachments).toEqual([
      { filename: `${shop.order.number}.pdf`, contentType: 'application/pdf', content: expect.any(Buffer) as Buffer },
    ]);
    const [page = ''] = await textOf(attachments[0]?.content ?? Buffer.alloc(0));
    expect([page.includes(shop.order.number), page.includes('Rp 10.000')]).toEqual([true, true]);
  });

  it('goes by WhatsApp as a document', async () => {
    const shop = await shopWithOrder();
    await shop.ask('POST', shop.path, { channel: 'whatsapp' });
    await ended(shop);
    const { file = '', caption, ...message } = documents().at(-1) ?? {};
    expect(message).toEqual({
      ...{ nohp: '6281234567890', instance: 'dev1', team: '3', type: 'document', pesan_id: text },
      filename: `${shop.order.number}.pdf`,
    });
    expect(caption).toContain('Rp 10.000');
    const [, base64 = ''] = /^data:application\/pdf;base64,(.*)$/.exec(file) ?? [];
    expect((await textOf(Buffer.from(base64, 'base64'))).join('\n')).toContain(shop.order.number);
  });

  it('is sent once for a key, and the key answers alike; another body is refused', async () => {
    const shop = await shopWithOrder();
    const headers = bearer(commerce.storeAuth.userToken({ store_id: shop.storeId }), { 'idempotency-key': 'send-1' });
    const send = (channel: string) => commerce.post(`/api${shop.path}`, { channel }, headers);
    const answers = [await send('email'), await send('email')];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await send('whatsapp')).status).toBe(409);
    await ended(shop);
    expect([commerce.mails.length, (await states(shop)).length]).toEqual([1, 1]);
  });

  it('is sent five times a day, by however many at once, and again when the first is a day old', async () => {
    const shop = await shopWithOrder();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => shop.ask('POST', shop.path, { channel: 'email' })),
    );
    const often = refused(429, 'rate_limited', 'The invoice of an order is sent 5 times a day at most');
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
    expect(answers.filter(({ status }) => status !== 202)).toEqual(Array(3).fill(often));
    await commerce.database.query(
      `UPDATE job_row SET created_at = created_at - interval '24 hours'
       WHERE id = (SELECT id FROM job_row WHERE store_id = $1 ORDER BY id LIMIT 1)`,
      [shop.storeId],
    );
    const again = [
      await shop.ask('POST', shop.path, { channel: 'email' }),
      await shop.ask('POST', shop.path, { channel: 'email' }),
    ];
    expect(again.map(({ status }) => status)).toEqual([202, 429]);
    await ended(shop);
  });

  it('waits for a chat-backend that hangs or is down, keeps nobody else waiting, and is one message afterwards', async () => {
    const [shop, other] = [await shopWithOrder(), await shopWithOrder()];
    const { calls } = chat.state;
    chat.state.mood = 'hang';
    expect((await shop.ask('POST', shop.path, { channel: 'whatsapp' })).status).toBe(202);
    await until(() => chat.state.calls > calls);
    await other.ask('POST', other.path, { channel: 'email' });
    await ended(other);
    expect(await states(shop)).toEqual([{ state: 'queued', errors: [] }]);
    const before = documents().length;
    chat.state.mood = 'answer';
    await ended(shop);
    expect(documents().length).toBe(before + 1);
  });

  it('of a store that has never chatted is given up with its reason', async () => {
    chat.state.mood = 'silent-store';
    const shop = await shopWithOrder();
    await shop.ask('POST', shop.path, { channel: 'whatsapp' });
    await ended(shop, 'failed');
    const message = 'The store has neither a connected device nor a chat to write with';
    expect(await states(shop)).toEqual([{ state: 'failed', errors: [{ row: 1, field: 'channel', message }] }]);
  });

  it('is not sent to a buyer without an address, nor by a WhatsApp that is not there', async () => {
    const shop = await shopWithOrder(commerce, '');
    expect(await shop.ask('POST', shop.path, { channel: 'email' })).toEqual(
      refused(409, 'no_email', 'The buyer has no e-mail address'),
    );
    const lonely = await shopWithOrder(alone);
    expect(await lonely.ask('POST', lonely.path, { channel: 'whatsapp' })).toEqual(
      refused(409, 'no_whatsapp', 'No WhatsApp is connected to this service'),
    );
  });

  it('of another store is 404, and another channel is refused', async () => {
    const [mine, theirs] = [await shopWithOrder(), await shopWithOrder()];
    expect(await mine.ask('POST', theirs.path, { channel: 'email' })).toEqual(
      refused(404, 'not_found', 'Order not found'),
    );
    expect((await mine.ask('POST', mine.path, { channel: 'sms' })).status).toBe(422);
    expect(await states(theirs)).toEqual([]);
  });
});
