import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { startFakeMessages } from '../../../clients/chat.messages.fake';
import { bearer, NOW, startCommerce } from '../../../commerce.fixture';
import type { Order, OrderEvent } from '../../sales/orders/orders.dto';
import { recountOrders } from '../../sales/payments/public';
import { digitalShop, EMAIL, linksIn, pageOf } from '../digital.fixture';
import { revokeDeliveries, sellsDigital } from '../rights/public';
import { buyersOf } from './bought.fixture';

const LINKS = { PAY_LINK_SECRET: 'a secret of links', TRUST_PROXY: '127.0.0.1' };
const chat = useRunning(startFakeMessages);
const commerce = useRunning(() => startCommerce({ ...LINKS, CHAT_URL: chat.url }));
const { fetched, asked, bought, mailTo, observed } = buyersOf(commerce);
afterEach(() => {
  chat.state.mood = 'answer';
});

const text = expect.any(String) as string;
const PHONE_ONLY = { name: 'Wati', phone: '6281299999999' };

describe('what is bought', () => {
  it('is delivered when it is paid, not before: one link for each file, in one message', async () => {
    const shop = await digitalShop(commerce, { files: 2, delivery: { max_downloads: 3, valid_days: 10 } });
    const order = (await shop.order()).body.data;
    expect(await shop.deliveries()).toEqual([]);
    await shop.pay(order);
    const rows = await shop.delivered(order);
    const row = { order_id: order.id, order_item_id: order.items[0]?.id, downloads: 0, max_downloads: 3 };
    expect(rows).toEqual(
      Array(2).fill({
        ...{ ...row, id: text, asset_id: text, revoked_for: null, sent_at: new Date(NOW) },
        expires_at: new Date('2026-03-11T08:00:00.000Z'),
      }),
    );
    const [mail, ...others] = mailTo(EMAIL);
    const links = linksIn(mail?.text);
    expect([others, links.length, new Set(links).size]).toEqual([[], 2, 2]);
    const terms = '(paling banyak 3 kali, sampai 11 Maret 2026)';
    expect(mail).toEqual({
      to: EMAIL,
      subject: `Unduhan Anda dari Toko Nusa - ${order.number}`,
      text: [
        `Halo Budi, pesanan ${order.number} dari Toko Nusa sudah dibayar. Ini yang Anda beli:`,
        ...[0, 1].flatMap((at) => [
          '',
          `Buku Nusa: buku ${at}.pdf`,
          `https://shop.example${pageOf(links[at])} ${terms}`,
        ]),
      ].join('\n'),
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@downloads\.invalid>$/) as string,
    });
    const history = (await shop.ask<OrderEvent[]>('GET', `/order/${order.id}/history`)).body.data;
    expect(history.map(({ type, text: told }) => `${type} ${told}`).at(-1)).toBe('downloads_sent email');
  });

  it('goes over WhatsApp to whoever has no e-mail address, with keys that stay as they are, once', async () => {
    const keys = ['A_B*C-11111111', 'D_E*F-22222222'];
    const shop = await digitalShop(commerce, { keys, buyer: PHONE_ONLY });
    const order = (await shop.order(2)).body.data;
    const before = chat.messages().length;
    chat.state.mood = 'hang';
    const { calls } = chat.state;
    await shop.pay(order);
    await until(() => chat.state.calls > calls);
    chat.state.mood = 'answer';
    await until(async () => {
      await commerce.database.query(
        'UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE attempts < max_attempts AND locked_at IS NULL',
      );
      const rows = await shop.deliveries(order);
      return rows.length > 0 && rows.every(({ sent_at }) => sent_at !== null);
    });
    // That the order is paid is told as well
    const told = chat.messages().slice(before);
    const [message, ...others] = told.filter(({ pesan_id }) => String(pesan_id).startsWith('download:'));
    expect(others).toEqual([]);
    const [link = ''] = linksIn(message?.pesan);
    expect(message).toEqual({
      ...{ nohp: PHONE_ONLY.phone, instance: 'dev1', team: '3', type: 'chat' },
      pesan_id: expect.stringMatching(/^download:[0-9a-f-]{36}$/) as string,
      pesan: [
        `Halo Wati, pesanan ${order.number} dari Toko Nusa sudah dibayar. Ini yang Anda beli:`,
        '',
        'Buku Nusa: kunci lisensi',
        ...keys.map((key) => `\`\`\`${key}\`\`\``),
        `https://shop.example${pageOf(link)} (paling banyak 5 kali, sampai 31 Maret 2026)`,
      ].join('\n'),
    });
    const file = await fetched(link);
    expect([file.status, file.headers.get('content-disposition'), await file.text()]).toEqual([
      ...[200, `attachment; filename="${order.number}-keys.txt"`, `${keys.join('\r\n')}\r\n`],
    ]);
    expect(await shop.keys()).toEqual(['1111 assigned', '2222 assigned']);
  });

  it('in hundreds of keys is one link to all of them', async () => {
    const keys = Array.from({ length: 300 }, (_, at) => `SERIAL-${String(at).padStart(6, '0')}`);
    const { text: letter, links } = await bought({ keys }, 300);
    expect([letter.includes('SERIAL'), links.length]).toEqual([false, 1]);
    const got = (await (await fetched(links[0] ?? '')).text()).trimEnd().split('\r\n');
    expect(got.toSorted()).toEqual(keys);
  });

  it('for nothing is delivered when it is placed', async () => {
    const shop = await digitalShop(commerce);
    await shop.ask('POST', '/coupon', { code: 'FREE', kind: 'percent', value: 100 });
    const order = (await shop.order(1, { coupon: 'FREE' })).body.data;
    expect([order.total, order.payment_status]).toEqual([0, 'paid']);
    await shop.delivered(order);
    await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    expect((await shop.deliveries(order)).map(({ revoked_for }) => revoked_for)).toEqual(['reversal']);
  });

  it('is delivered when it is paid although a release before took it back with the down payment, once that is put right', async () => {
    const shop = await digitalShop(commerce);
    const order = (await shop.order(2)).body.data;
    const pay = { order_id: order.id, status: 'paid', method: 'cash', amount: 5_000 };
    expect((await shop.ask('POST', '/order/change_payment_status', pay)).status).toBe(200);
    const headers = () =>
      bearer(commerce.storeAuth.userToken({ store_id: shop.storeId }), { 'idempotency-key': uuidv7() });
    const refund = { method: 'manual', reason: 'Batal', amount: 5_000 };
    expect((await commerce.post(`/api/order/${order.id}/refund`, refund, headers())).status).toBe(201);
    const by = { storeId: shop.storeId, actor: 'test', at: commerce.clock.now() };
    await commerce.app.database.tx((tx) => revokeDeliveries(tx, by, order.id));
    expect((await shop.deliveries(order)).map(({ revoked_for }) => revoked_for)).toEqual(['return']);
    const former = `UPDATE sales_order SET payment_status = 'refunded' WHERE store_id = $1 AND id = $2`;
    await commerce.database.query(former, [shop.storeId, order.id]);
    const audit = { tenantId: shop.storeId, actor: { id: 'test', name: 'test', kind: 'operator' as const }, at: by.at };
    await recountOrders(commerce.app.database, (storeId) => ({ ...by, storeId, audit }));
    await shop.pay(order);
    const sent = await until(
      () => shop.deliveries(order),
      (rows) =>
        rows.some(({ sent_at }) => sent_at !== null) || rows.some(({ revoked_for }) => revoked_for === 'return'),
    );
    expect(sent).toMatchObject([{ revoked_for: null, max_downloads: 5 }]);
    expect(await asked(linksIn(mailTo(EMAIL).at(-1)?.text)[0] ?? '').catch(() => 'a file')).toBe('a file');
    const lines = [{ order_item_id: order.items[0]?.id, qty: 2 }];
    const back = { method: 'manual', reason: 'Batal', lines };
    expect((await commerce.post(`/api/order/${order.id}/refund`, back, headers())).status).toBe(201);
    expect((await shop.deliveries(order)).map(({ revoked_for }) => revoked_for)).toEqual(['return']);
  });

  it('whose link was made with another secret is not sent with a link that opens nothing', async () => {
    chat.state.mood = 'hang';
    const shop = await digitalShop(commerce, { buyer: PHONE_ONLY });
    const order = (await shop.order()).body.data;
    await shop.pay(order);
    // Whoever sends it has given up, and has not begun again with what was read before
    const tried = `SELECT 1 FROM commerce_api_jobs._private_jobs WHERE payload ->> 'orderId' = $1 AND payload ->> 'issue' IS NOT NULL
      AND attempts > 0 AND locked_at IS NULL`;
    await until(async () => (await commerce.database.query(tried, [order.id])).length > 0);
    await commerce.database.query(`UPDATE digital_delivery SET token_hash = 'another' WHERE store_id = $1`, [
      shop.storeId,
    ]);
    chat.state.mood = 'answer';
    await until(async () => {
      await commerce.database.query(
        'UPDATE commerce_api_jobs._private_jobs SET run_at = now() WHERE attempts < max_attempts AND locked_at IS NULL',
      );
      return commerce.lines.some((line) => line.includes('PAY_LINK_SECRET') && line.includes(order.id));
    });
    const links = chat.messages().flatMap(({ pesan }) => (pesan?.includes(order.number) ? linksIn(pesan) : []));
    expect(links).toEqual([]);
    expect((await shop.deliveries(order)).map(({ sent_at }) => sent_at)).toEqual([null]);
  });

  it('without files and keys is no message', async () => {
    const shop = await digitalShop(commerce, { files: 0 });
    const order = (await shop.order()).body.data;
    await shop.pay(order);
    await observed();
    expect(await shop.deliveries(order)).toEqual([]);
  });

  it('of a store that can send nothing is given up, and its link can be sent later', async () => {
    chat.state.mood = 'silent-store';
    const shop = await digitalShop(commerce, { buyer: PHONE_ONLY });
    const order = (await shop.order()).body.data;
    await shop.pay(order);
    const given = () => commerce.lines.some((line) => line.includes('never be sent') && line.includes(order.id));
    await until(given);
    chat.state.mood = 'answer';
    const [row] = await shop.deliveries(order);
    expect(row?.sent_at).toBeNull();
    const again = await shop.ask('POST', `/digital-store/deliveries/${row?.id}/resend`, { channel: 'whatsapp' });
    expect(again.status).toBe(200);
    await shop.delivered(order);
  });
});

it('neither keys nor tokens are in any log, audit row, job or table', async () => {
  const KEY = 'CANARY-KEY-0815';
  const { shop, order, links } = await bought({ keys: [KEY, 'OTHER-KEY-1'], files: 1 }, 2);
  for (const link of links) await fetched(link);
  const [row] = await shop.deliveries(order);
  await shop.ask('POST', `/digital-store/deliveries/${row?.id}/resend`, { channel: 'email' });
  await asked(`${links[0]}x`);
  const secrets = [KEY, ...links.map((link) => link.split('.').at(-1) ?? '')];
  const tables = await commerce.database.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
     WHERE table_schema IN ('commerce_api', 'commerce_api_jobs') AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await commerce.database.query<{ told: string }>(`SELECT t::text AS told FROM ${name} t`);
    for (const secret of secrets) if (rows.some(({ told }) => told.includes(secret))) found.push(`${name}: ${secret}`);
  }
  for (const secret of secrets) if (commerce.lines.some((line) => line.includes(secret))) found.push(`log: ${secret}`);
  expect(found).toEqual([]);
});

it('of an order with nothing digital nobody is asked to deliver anything', async () => {
  const shop = await digitalShop(commerce);
  const variants = [{ price: 5_000, track_stock: false }];
  const hat = { name: 'Topi', weight_g: 100, status: 'active', variants };
  const made = (await shop.ask<{ variants: { id: string }[] }>('POST', '/products', hat)).body.data;
  const jobs = async (): Promise<number> => {
    const counted = `SELECT count(*)::int AS n FROM commerce_api_jobs.jobs WHERE task_identifier = 'order.paid.digital'`;
    return (await commerce.database.query<{ n: number }>(counted))[0]?.n ?? NaN;
  };
  const plan = async (variantId: string | undefined) => {
    const order = (await shop.order(0, { items: [{ variant_id: variantId, qty: 1 }] })).body.data;
    const [row] = await commerce.database.query<{ sells: boolean }>(
      `SELECT ${sellsDigital('o')} AS sells FROM sales_order o WHERE o.store_id = $1 AND o.id = $2`,
      [shop.storeId, order.id],
    );
    return row?.sells;
  };
  expect([await plan(made.variants[0]?.id), await plan(shop.variantId), await jobs()]).toEqual([false, true, 0]);
});

it('the order tells what its buyer can fetch', async () => {
  const { shop, order, links } = await bought({ keys: ['AAAA-1111'], files: 1 });
  await fetched(links[0] ?? '');
  await fetched(links[1] ?? '');
  await shop.reverse(order);
  const { deliveries } = (await shop.ask<Order>('GET', `/order/${order.id}`)).body.data;
  const row = {
    ...{ id: text, order_item_id: order.items[0]?.id, downloads: 1, max_downloads: 5, sent_at: NOW, revoked_at: NOW },
    expires_at: '2026-03-31T08:00:00.000Z',
  };
  expect(deliveries).toEqual([
    { ...row, kind: 'keys', name: null },
    { ...row, kind: 'file', name: 'buku 0.pdf' },
  ]);
});
