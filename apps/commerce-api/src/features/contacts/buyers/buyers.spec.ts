import { uuidv7 } from '@platform/runtime';
import { explain, expectNoSeqScan, lockWaiters, until } from '@platform/testing';
import { invalid, notHere, ownStore, refused, succeeded } from '../../../asked.fixture';
import { NOW, useCommerce } from '../../../commerce.fixture';
import { BOUGHT } from '../../sales/buyers/public';
import { BUYER, orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import type { Contact } from '../people/public';

const commerce = useCommerce();

const place = async (shop: OrderShop, more: object = {}): Promise<Order> =>
  (await shop.ask<Order>('POST', '/order', { ...shop.cart(1), ...more })).body.data;
const contacts = async ({ ask }: Pick<OrderShop, 'ask'>): Promise<Contact[]> =>
  (await ask<Contact[]>('GET', '/contact')).body.data;
/** When everything that was bought is counted. */
const counted = ({ storeId }: OrderShop) =>
  until(async () => {
    const waiting = `SELECT 1 FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
      WHERE t.identifier IN ('order.changed', 'order.paid.history') AND j.payload ->> 'storeId' = $1`;
    return (await commerce.database.query(waiting, [storeId])).length === 0;
  });
const sums = async (shop: OrderShop, id: string) => {
  await counted(shop);
  const { orders_count, spent, last_order_at } = (await shop.ask<Contact>('GET', `/contact/${id}`)).body.data;
  return { orders_count, spent, last_order_at };
};
const allow = (storeId: string, contactsAllowed: number) =>
  commerce.database.query(`INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, 'contacts', 0, $2)`, [
    storeId,
    contactsAllowed,
  ]);

describe('a number that is typed into an order', () => {
  it('is one contact, however often and in whatever form it is written at once, and counts each order', async () => {
    const shop = await orderShop(commerce, 50);
    const forms = ['0812-3456-7890', '+62 812 3456 7890', '6281234567890', '081234567890'];
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, at) => place(shop, { contact: { name: 'Budi', phone: forms[at % 4] } })),
    );
    const [budi, ...others] = await contacts(shop);
    expect([budi?.name, budi?.phone, budi?.source, others]).toEqual(['Budi', BUYER.phone, 'order', []]);
    expect(new Set(orders.map(({ contact_id }) => contact_id))).toEqual(new Set([budi?.id]));
    const id = budi?.id ?? '';
    expect(await sums(shop, id)).toEqual({ orders_count: 20, spent: 0, last_order_at: NOW });
    await commerce.database.query('UPDATE sales_order SET paid_total = 7000 WHERE store_id = $1 AND id = $2', [
      ...[shop.storeId, orders[0]?.id],
    ]);
    const cancels = orders.slice(1, 6).map((order) => shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'x' }));
    expect((await Promise.all(cancels)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await sums(shop, id)).toEqual({ orders_count: 15, spent: 7000, last_order_at: NOW });
  });

  it('names a contact that had no name, and leaves one that has', async () => {
    const shop = await orderShop(commerce, 5);
    await shop.ask('POST', '/contact', { name: 'Bapak Budi', phone: BUYER.phone });
    await place(shop, { contact: { ...BUYER, email: 'budi@shop.example' } });
    expect((await contacts(shop))[0]).toMatchObject({ name: 'Bapak Budi', email: 'budi@shop.example', source: null });
    await commerce.database.query('UPDATE contact SET name = NULL WHERE store_id = $1', [shop.storeId]);
    await place(shop);
    expect((await contacts(shop))[0]).toMatchObject({ name: 'Budi' });
  });

  it('that the plan has no room for is an order without a contact', async () => {
    const shop = await orderShop(commerce, 5);
    await allow(shop.storeId, 0);
    expect([(await place(shop)).contact_id, await contacts(shop)]).toEqual([null, []]);
  });
});

describe('what a contact has bought', () => {
  it('is what was paid and not taken back, and goes with an order to another contact', async () => {
    const shop = await orderShop(commerce, 9);
    const order = await place(shop);
    const id = order.contact_id ?? '';
    const pay = (status: string) =>
      shop.ask<Order>('POST', '/order/change_payment_status', { order_id: order.id, status, method: 'cash' });
    await pay('paid');
    expect(await sums(shop, id)).toEqual({ orders_count: 1, spent: 10_000, last_order_at: NOW });
    const { version } = (await pay('unpaid')).body.data;
    expect(await sums(shop, id)).toEqual({ orders_count: 1, spent: 0, last_order_at: NOW });
    const edit = { ...shop.cart(1), contact: { name: 'Ani', phone: '62811000002' }, version };
    const moved = (await shop.ask<Order>('PUT', `/order/${order.id}`, edit)).body.data.contact_id ?? '';
    expect(await sums(shop, id)).toEqual({ orders_count: 0, spent: 0, last_order_at: null });
    expect(await sums(shop, moved)).toEqual({ orders_count: 1, spent: 0, last_order_at: NOW });
  });
});

it('what follows when an order is paid waits for its contact before it touches the order, as whoever edits it does', async () => {
  const shop = await orderShop(commerce, 9);
  const order = await place(shop);
  await counted(shop);
  await commerce.database.tx(async (tx) => {
    await tx.query('SELECT 1 FROM contact WHERE store_id = $1 FOR UPDATE', [shop.storeId]);
    await shop.ask('POST', '/order/change_payment_status', { order_id: order.id, status: 'paid', method: 'cash' });
    await until(async () => (await lockWaiters(tx)) > 0);
    const mine = 'SELECT 1 FROM sales_order WHERE store_id = $1 AND id = $2 FOR UPDATE NOWAIT';
    expect(await tx.query(mine, [shop.storeId, order.id])).toHaveLength(1);
  });
  expect(await sums(shop, order.contact_id ?? '')).toEqual({ orders_count: 1, spent: 10_000, last_order_at: NOW });
});

describe('an order for a contact', () => {
  it('keeps them as they are now', async () => {
    const shop = await orderShop(commerce, 5);
    const { id } = (await shop.ask<Contact>('POST', '/contact', { name: 'Ani', phone: '0899-1111-111' })).body.data;
    const { contact_id, buyer } = await place(shop, { contact: undefined, contact_id: id });
    expect([contact_id, buyer]).toEqual([id, { name: 'Ani', phone: '628991111111' }]);
    expect(await sums(shop, id)).toMatchObject({ orders_count: 1 });
  });

  it('names one of this store, and either the contact or the buyer', async () => {
    const [shop, theirs] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    const { contact_id } = await place(theirs);
    const order = (more: object) => shop.ask('POST', '/order', { ...shop.cart(1), ...more });
    const stranger = notHere('contact_id', 'is not a contact of this store');
    for (const id of [contact_id, uuidv7()])
      expect(await order({ contact: undefined, contact_id: id })).toEqual(stranger);
    expect(await order({ contact_id })).toEqual(invalid('contact', 'contact must not be given with contact_id'));
    expect(await order({ contact: undefined })).toEqual(invalid('contact', 'contact is a required field'));
  });
});

describe('the orders of a contact', () => {
  it('are listed by pages, also those of who was merged into it, and nobody else knows them', async () => {
    const [shop, other] = [await orderShop(commerce, 9), await ownStore(commerce)];
    const [first, second] = [await place(shop), await place(shop, { contact: { name: 'B', phone: '62811000002' } })];
    const at = `/contact/${first.contact_id}/orders`;
    const { items: _i, notes: _n, payments: _p, shipments: _s, proofs: _f, deliveries: _d, ...shown } = first;
    const { refunds: _r, pay_url: _u, ...row } = shown as typeof shown & { pay_url: string };
    const meta = { current_page: 1, per_page: 15, total: 1, last_page: 1, from: 1, to: 1 };
    expect(await shop.ask('GET', at)).toEqual({
      ...{ status: 200, body: { status: 'success', message: 'OK', data: [row], meta } },
    });
    const merge = { keep_id: first.contact_id, merge_ids: [second.contact_id] };
    const merged = await shop.ask<Contact>('POST', '/contact/merge', merge);
    expect(merged.body.data).toMatchObject({ orders_count: 2, last_order_at: NOW });
    const listed = await shop.ask<Order[]>('GET', at);
    expect(listed.body.data.map(({ id, contact_id }) => [id, contact_id])).toEqual([
      [second.id, first.contact_id],
      [first.id, first.contact_id],
    ]);
    expect((await shop.ask<Order[]>('GET', `/order?contact_id=${first.contact_id}`)).body.data).toHaveLength(2);
    expect(await other.ask('GET', at)).toEqual(refused(404, 'not_found', 'Contact not found'));
  });

  it('that are placed while it is merged are all the kept one’s, and counted', async () => {
    const shop = await orderShop(commerce, 60);
    const phones = Array.from({ length: 6 }, (_, at) => `6281100000${at}`);
    const people = await Promise.all(phones.map((phone) => place(shop, { contact: { name: 'B', phone } })));
    const [keep = '', ...merged] = people.map(({ contact_id }) => contact_id ?? '');
    const more = Array.from({ length: 24 }, (_, at) => place(shop, { contact: { name: 'B', phone: phones[at % 6] } }));
    const merges = merged.map((id) => shop.ask('POST', '/contact/merge', { keep_id: keep, merge_ids: [id] }));
    const cancels = people.map(({ id }) => shop.ask('POST', `/order/${id}/cancel`, { reason: 'x' }));
    const answers = await Promise.all([...merges, ...cancels]);
    const placed = await Promise.all(more);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(placed.every(({ status }) => status === 'open')).toBe(true);
    expect((await contacts(shop)).map(({ id }) => id)).toEqual([keep]);
    expect(await sums(shop, keep)).toMatchObject({ orders_count: 24 });
    const [plan] = await commerce.database.query(
      `SELECT used FROM plan_use WHERE store_id = $1 AND metric = 'contacts'`,
      [shop.storeId],
    );
    expect(plan).toEqual({ used: 1 });
  });

  it('stay without a number that reaches anybody when it is deleted', async () => {
    const shop = await orderShop(commerce, 5);
    await shop.ask('POST', '/coupon', { code: 'SALE', kind: 'fixed', value: 100 });
    const address = { line: 'Jl. 1', phone: '0812-3456-7890' };
    const order = await place(shop, { contact: { ...BUYER, email: 'b@shop.example' }, address, coupon: 'SALE' });
    expect(await shop.ask('DELETE', `/contact/${order.contact_id}`)).toEqual(succeeded(200, 'Contact deleted', null));
    const masked = '6281******890';
    const kept = {
      ...{ ...order, contact_id: null, buyer: { name: 'Budi', phone: masked } },
      address: { line: 'Jl. 1' },
    };
    expect((await shop.ask('GET', `/order/${order.id}`)).body.data).toEqual(kept);
    expect((await shop.ask<[]>('GET', '/order?q=81234')).body.data).toEqual([]);
    expect((await shop.ask<[]>('GET', '/order?q=budi')).body.data).toHaveLength(1);
    const told = await commerce.database.query('SELECT phone FROM coupon_redemption WHERE store_id = $1', [
      shop.storeId,
    ]);
    expect(told).toEqual([{ phone: masked }]);
  });

  it('are counted by an index', async () =>
    expectNoSeqScan(await explain(commerce.database, BOUGHT, ['S1', uuidv7()]), 'sales_order'));
});

describe('a plan', () => {
  it('has room for so many contacts and not one more, of twenty at once', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await allow(storeId, 3);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => ask('POST', '/contact', { name: 'B', phone: `628110000${at + 10}` })),
    );
    const over = refused(402, 'plan_limit', answers.find(({ status }) => status === 402)?.body.message ?? '', {
      ...{ metric: 'contacts', limit: 3 },
    });
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array.from({ length: 17 }, () => over));
    const [first] = await contacts({ ask });
    await ask('DELETE', `/contact/${first?.id}`);
    const again = { name: 'B', phone: '62811000099' };
    expect((await ask('POST', '/contact', again)).status).toBe(201);
    expect(await ask('POST', '/contact', { ...again, phone: '62811000098' })).toEqual(over);
  });
});
