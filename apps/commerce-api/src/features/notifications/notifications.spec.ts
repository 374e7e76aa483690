import { expectNoSeqScan, explain, until } from '@platform/testing';
import { invalid, ownStore, refused, type OwnStore } from '../../asked.fixture';
import { newApiToken, newMember, NOW, useCommerce } from '../../commerce.fixture';
import { OWNER_ID } from '../../clients/store-auth.fake';
import type { Note } from '../../live/public';
import { notify } from '../../notify';
import { watchLowStock } from '../stock/levels/public';
import { DUE, lowStockDigest } from './digest/low-stock.digest';
import { UNREAD } from './notices/notices.sql';
import { closeSockets, listen, noticeOf, tell } from './notifications.fixture';

const commerce = useCommerce();
afterAll(closeSockets);

const listed = async ({ ask }: OwnStore) => (await ask<Note[]>('GET', '/notification?per_page=100')).body;
const unread = async (store: OwnStore) => ((await listed(store)).meta as { unread: number }).unread;
const arrived = (store: OwnStore, notes: number) => until(async () => (await listed(store)).data.length === notes);
const ownerToken = (storeId: string) => commerce.storeAuth.userToken({ sub: OWNER_ID, store_id: storeId });

describe('a notice', () => {
  it('is one notification of each member whose abilities cover it, however often it is told', async () => {
    const store = await ownStore(commerce);
    const [finance, cs] = [
      await newMember(commerce, store.storeId, 'finance'),
      await newMember(commerce, store.storeId, 'cs'),
    ];
    const notice = noticeOf(store.storeId, 'w1');
    await Promise.all([tell(commerce, notice), tell(commerce, notice)]);
    await arrived(store, 1);
    await tell(commerce, notice);
    await tell(commerce, noticeOf(store.storeId, 'w2'));
    await arrived(store, 2);
    const rows = 'SELECT user_id FROM notification WHERE store_id = $1 AND notice_id = $2 ORDER BY user_id';
    const told = await commerce.database.query<{ user_id: string }>(rows, [store.storeId, 'w1']);
    expect(told.map(({ user_id }) => user_id)).toEqual([OWNER_ID, finance.userId].sort());
    expect((await commerce.call('GET', '/api/notification', cs.token)).body).toMatchObject({
      data: [],
      meta: { unread: 0 },
    });
  });

  it('is heard by the sockets of its members in that store after the commit, and by nobody when it is rolled back', async () => {
    const [store, other] = [await ownStore(commerce), await ownStore(commerce)];
    const own = await listen(commerce.url, ownerToken(store.storeId));
    const elsewhere = await listen(commerce.url, ownerToken(other.storeId));
    await commerce.database
      .tx(async (tx) => {
        await notify(tx, noticeOf(store.storeId, 'lost'));
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await tell(commerce, noticeOf(store.storeId, 'kept'));
    await until(() => own.heard.length > 0);
    const { data } = await listed(store);
    expect(data).toEqual([
      {
        ...{ id: expect.any(String), event: 'withdrawal.paid', title: 'Penarikan dibayar', read_at: null },
        ...{ body: 'Penarikan Rp 5.000 sudah dibayarkan', url: '/wallet', created_at: NOW },
      },
    ]);
    expect([own.heard, elsewhere.heard]).toEqual([[['notification', data[0]]], []]);
  });

  it('goes by the ways that its member chose', async () => {
    const store = await ownStore(commerce);
    const change = { 'withdrawal.paid': { in_app: false, email: true } };
    expect((await store.ask('PUT', '/notification/preferences', change)).status).toBe(200);
    await tell(commerce, noticeOf(store.storeId, 'w1', { params: { amount: store.storeId } }));
    const mails = () => commerce.mails.filter(({ text }) => text.includes(store.storeId));
    await until(() => mails().length === 1);
    expect(mails()).toEqual([
      expect.objectContaining({
        ...{ to: 'owner@toko-nusa.example', subject: 'Penarikan dibayar - Toko Nusa' },
        text: `Penarikan ${store.storeId} sudah dibayarkan\nhttps://shop.example/wallet`,
      }),
    ]);
    expect(await listed(store)).toMatchObject({ data: [], meta: { unread: 0 } });
  });
});

it('the unread count is exact while fifty are read at once', async () => {
  const store = await ownStore(commerce);
  for (let n = 0; n < 60; n++) await tell(commerce, noticeOf(store.storeId, `n${n}`));
  await arrived(store, 60);
  const { data } = await listed(store);
  const read = data.slice(0, 50).flatMap(({ id }) => [id, id]);
  const answers = await Promise.all(read.map((id) => store.ask('POST', `/notification/${id}/read`)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await unread(store)).toBe(10);
  expect((await store.ask<Note[]>('GET', '/notification?unread=true')).body.data).toHaveLength(10);
  expect((await store.ask('POST', '/notification/read-all')).status).toBe(200);
  expect(await unread(store)).toBe(0);
});

it("somebody else's notification is 404, and an API token has none", async () => {
  const store = await ownStore(commerce);
  const member = await newMember(commerce, store.storeId, 'admin');
  await tell(commerce, noticeOf(store.storeId, 'w1', { userIds: [member.userId] }));
  const mine = async () => (await commerce.call('GET', '/api/notification', member.token)).body as { data: Note[] };
  await until(async () => (await mine()).data.length === 1);
  const [note] = (await mine()).data;
  expect(await store.ask('POST', `/notification/${note?.id}/read`)).toEqual(
    refused(404, 'not_found', 'Notification not found'),
  );
  const { token } = await newApiToken(commerce, store.storeId, {});
  expect((await commerce.call('GET', '/api/notification', token)).status).toBe(403);
});

describe('preferences', () => {
  it('change the given ways of the given events alone', async () => {
    const store = await ownStore(commerce);
    const before = (await store.ask<Record<string, object>>('GET', '/notification/preferences')).body.data;
    expect(before['withdrawal.failed']).toEqual({ in_app: true, email: true, whatsapp: false, push: false });
    const events = ['order.paid', 'stock.low', 'plan.unpaid'];
    await Promise.all(
      events.map((event) => store.ask('PUT', '/notification/preferences', { [event]: { whatsapp: true } })),
    );
    const after = (await store.ask('GET', '/notification/preferences')).body.data;
    const changed = events.map((event) => [event, { ...before[event], whatsapp: true }]);
    expect(after).toEqual({ ...before, ...Object.fromEntries(changed) });
  });

  it('do not promise what nobody sends', async () => {
    const store = await ownStore(commerce);
    expect(await store.ask('PUT', '/notification/preferences', { 'order.paid': { push: true } })).toEqual(
      invalid('order.paid.push', 'order.paid.push is not offered: browsers are not pushed to'),
    );
    expect((await store.ask('PUT', '/notification/preferences', { 'order.lost': {} })).status).toBe(422);
  });
});

describe('what runs low', () => {
  const lowShop = async () => {
    const store = await ownStore(commerce, [{ sku: 'A', name: 'Topi', stock: 9 }]);
    const [variant] = await commerce.database.query<{ id: string; product_id: string; warehouse_id: string }>(
      `SELECT v.id, v.product_id, l.warehouse_id FROM variant v JOIN stock_level l ON l.store_id = v.store_id AND l.variant_id = v.id
       WHERE v.store_id = $1`,
      [store.storeId],
    );
    const set = async (on_hand: number) => {
      const { id: variant_id, product_id, warehouse_id } = variant as NonNullable<typeof variant>;
      const body = { variant_id, warehouse_id, on_hand, reason: 'adjust' };
      expect((await store.ask('POST', `/products/${product_id}/stock-adjustment`, body)).status).toBe(200);
    };
    const falls = async () =>
      (
        await commerce.database.query(`SELECT 1 FROM shop_event WHERE store_id = $1 AND kind = 'stock.low'`, [
          store.storeId,
        ])
      ).length;
    return { ...store, set, falls, variantId: variant?.id ?? '' };
  };

  it('is announced once a fall', async () => {
    const { storeId, set, falls, variantId } = await lowShop();
    await set(5);
    await set(3);
    const by = { storeId, actor: 'test', at: commerce.clock.now() };
    await Promise.all([1, 2, 3].map(() => commerce.database.tx((tx) => watchLowStock(tx, by, [variantId]))));
    expect(await falls()).toBe(1);
    await set(6);
    await set(2);
    expect(await falls()).toBe(2);
  });

  it('is told once a day of the store, from eight in the morning', async () => {
    const store = await lowShop();
    await store.set(1);
    const digest = (at: string) =>
      lowStockDigest(commerce.app.database, { now: () => new Date(at) })(new AbortController().signal);
    await digest('2026-03-02T00:59:00Z');
    await digest('2026-03-02T01:00:00Z');
    await arrived(store, 1);
    await digest('2026-03-02T09:00:00Z');
    await digest('2026-03-03T01:00:00Z');
    await arrived(store, 2);
    const { data } = await listed(store);
    expect(data.map(({ body }) => body)).toEqual(Array(2).fill('1 produk hampir habis: Topi'));
    const isDue = async () => {
      const due = await commerce.database.query<{ storeId: string }>(DUE, ['2026-03-04T01:00:00Z', '']);
      return due.some(({ storeId }) => storeId === store.storeId);
    };
    const turn = (status: string) =>
      commerce.database.query('UPDATE product SET status = $2 WHERE store_id = $1', [store.storeId, status]);
    expect(await isDue()).toBe(true);
    await turn('archived');
    expect(await isDue()).toBe(false);
    await turn('active');
    await store.ask('PUT', '/settings/notification', { version: 0, daily_digest: false });
    expect(await isDue()).toBe(false);
  });
});

it('unread notifications are counted by an index', async () =>
  expectNoSeqScan(await explain(commerce.database, UNREAD, ['S1', OWNER_ID, ['order.paid']]), 'notification'));
