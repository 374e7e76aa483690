import { existsSync } from 'node:fs';
import { uuidv7 } from '@platform/runtime';
import { auditedIn, ownStore } from '../../../asked.fixture';
import { bearer, newMember, NOW, useCommerce } from '../../../commerce.fixture';
import { balancesOf } from '../../ledger/postings/public';
import type { Order } from '../../sales/orders/orders.dto';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import { settlePayment } from '../../sales/payments/public';
import { comeBack } from '../../sales/refunds/refund.ends';
import { acceptPayment } from '../../sales/reviews/public';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Kyc } from '../../verification/kyc/kyc.dto';
import { opsData, ranOps } from './ops.fixture';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));
const FIRST = 'npm run -s command -- commerce-api ops';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const PERSON = {
  ...{ full_name: 'Sari Wulandari', national_id: '3174012345670001' },
  ...{ birth_date: '1990-05-17', address: 'Jl. Tebet Raya 24' },
};

describe('ops', () => {
  it('tells what there is, and of one thing its commands', async () => {
    const { out, code } = await ranOps(commerce);
    expect([code, out.startsWith(`Usage: ${FIRST} <what> <command> ... [--json]`)]).toEqual([0, true]);
    for (const words of [['--help'], ['-h'], ['help']]) expect((await ranOps(commerce, ...words)).out).toBe(out);
    for (const name of ['kyc approve <store> <id>', 'payment accept <id> [amount]', 'store suspend <store> <reason>'])
      expect(out).toContain(`\n  ${name}\n`);
    const ofStores = (await ranOps(commerce, 'store', '--help')).out;
    expect([ofStores.includes('store open <store>'), ofStores.includes('kyc')]).toEqual([true, false]);
  });

  it.each([
    [['bank'], 'unknown command "bank"'],
    [['kyc'], 'kyc needs a command: kyc list, kyc show, kyc approve, kyc reject'],
    [['store', 'close', 'S1'], 'unknown command "store close": use one of store suspend, store open'],
    [['store', 'suspend', 'S1'], 'store suspend needs <store> <reason>'],
    [
      ['store', 'suspend', 'S1', 'no', 'quotes'],
      'store suspend takes <store> <reason>: put texts of several words in quotes',
    ],
    [['kyc', 'approve', 'S1', 'x'], '"x" is no id of an identity check: ops kyc list shows those that wait'],
    [['payment', 'accept', 'x'], '"x" is no id of a payment: ops payment list shows those in review'],
    [['payment', 'accept', uuidv7(), '1.000'], '"1.000" is no amount: a whole number, without dots'],
    [['payment', 'refund', uuidv7(), 'x', 'cash'], '"cash" is no way back: provider or manual'],
    [['kyc', 'list', '--all'], 'unknown option --all'],
  ])('%j is wrong usage, and says what is right', async (words, message) =>
    expect(await ranOps(commerce, ...words)).toEqual({ out: '', error: `${message}\nSee: ${FIRST} --help\n`, code: 2 }),
  );

  it('says what it refuses, with 1', async () => {
    const id = uuidv7();
    const refusedAs = (message: string) => ({ out: '', error: `${message}\n`, code: 1 });
    expect(await ranOps(commerce, 'kyc', 'approve', 'S1', id)).toEqual(refusedAs('Identity check not found'));
    expect(await ranOps(commerce, 'payment', 'accept', id)).toEqual(refusedAs('Payment not found'));
    expect(await ranOps(commerce, 'store', 'open', 'nowhere')).toEqual(refusedAs('Store not found'));
  });
});

describe('identity checks', () => {
  it('are listed, shown with their documents, approved or rejected, and the audit log tells by whom', async () => {
    const { storeId, ask } = await ownStore(commerce);
    const { id } = (await ask<Kyc>('POST', '/verification', { kind: 'person', data: PERSON })).body.data;
    for (const kind of ['id_card', 'selfie']) {
      const form = new FormData();
      form.set('kind', kind);
      form.set('file', new Blob([new Uint8Array(PNG)]), 'ktp.png');
      const headers = bearer(commerce.storeAuth.userToken({ store_id: storeId }));
      await fetch(`${commerce.url}/api/verification/${id}/document`, { method: 'POST', body: form, headers });
    }
    const { waiting } = await opsData<{ waiting: { id: string; store_id: string }[] }>(commerce, 'kyc', 'list');
    expect(waiting).toEqual([{ ...{ store_id: storeId, id, kind: 'person', store: 'Toko Nusa' }, updated_at: NOW }]);
    const shown = await opsData<{ data: object; documents: { kind: string; file: string }[] }>(
      ...([commerce, 'kyc', 'show', storeId, id] as const),
    );
    expect(shown.data).toEqual(PERSON);
    expect(shown.documents.map(({ kind, file }) => [kind, existsSync(file)])).toEqual([
      ['id_card', true],
      ['selfie', true],
    ]);
    expect(await ranOps(commerce, 'kyc', 'reject', storeId, id, 'Foto buram')).toEqual({
      ...{ out: `rejected the identity check ${id} of ${storeId}\n`, error: '', code: 0 },
    });
    await ask('PUT', `/verification/${id}`, { data: PERSON });
    expect(await opsData(commerce, 'kyc', 'approve', storeId, id)).toEqual({
      store_id: storeId,
      id,
      status: 'approved',
    });
    expect((await ranOps(commerce, 'kyc', 'approve', storeId, id)).error).toBe(
      'It is approved: that cannot be done with it now\n',
    );
    const told = await commerce.database.query<{ action: string; actor_kind: string }>(
      `SELECT action, actor_kind FROM audit_log WHERE tenant_id = $1 AND actor_id = 'operator' ORDER BY id`,
      [storeId],
    );
    expect(told.map(({ action, actor_kind }) => `${action} ${actor_kind}`)).toEqual([
      'kyc.read operator',
      'kyc.write operator',
      'kyc.write operator',
    ]);
  });
});

describe('a store', () => {
  it('that is suspended refuses everybody until it is open again', async () => {
    const { storeId, ask } = await ownStore(commerce, [{}]);
    const { token } = await newMember(commerce, storeId, 'cs');
    const status = async () => (await commerce.call('GET', '/api/products', token)).status;
    expect(await status()).toBe(200);
    expect((await ranOps(commerce, 'store', 'suspend', storeId, 'Barang palsu')).out).toBe(`${storeId} is suspended\n`);
    expect([await status(), (await commerce.get(`/api/store/public/${storeId}`)).status]).toEqual([403, 404]);
    expect((await ranOps(commerce, 'store', 'suspend', storeId, 'x')).error).toBe('The store is suspended already\n');
    expect(await opsData(commerce, 'store', 'open', storeId)).toEqual({ store_id: storeId, status: 'open' });
    expect([await status(), (await ask('GET', '/store')).status]).toEqual([200, 200]);
    expect(await auditedIn(commerce, storeId)).toEqual([
      'store.suspend store: status, suspended_reason',
      'store.suspend store: status, suspended_reason',
    ]);
  });
});

it('open orders that an older release took for paid or given back stand by the money they keep, however often it is asked for', async () => {
  const shop = await orderShop(commerce, 9);
  const place = async (paid: number, back: number, status: string) => {
    const order = await shop.place(shop.cart(1));
    await shop.pay(order.id, { amount: paid });
    const body = { method: 'manual', reason: 'Batal', amount: back };
    await shop.ask('POST', `/order/${order.id}/refund`, body, uuidv7());
    const before = 'UPDATE sales_order SET payment_status = $3 WHERE store_id = $1 AND id = $2';
    await commerce.database.query(before, [shop.storeId, order.id, status]);
    return order.id;
  };
  const now = async (id: string) => (await shop.ask<Order>('GET', `/order/${id}`)).body.data;
  const ids = [await place(5_000, 2_000, 'partially_refunded'), await place(5_000, 5_000, 'refunded')];
  // All of its money was there again when a payout came back, and nothing was sold
  ids.push(await place(5_000, 1, 'paid'));
  const whole = 'UPDATE sales_order SET paid_total = total + refunded_total WHERE store_id = $1 AND id = $2';
  await commerce.database.query(whole, [shop.storeId, ids[2]]);
  ids.push(await place(5_000, 1, 'partially_paid'));
  await commerce.database.query(whole, [shop.storeId, ids[3]]);
  ids.push(await place(10_000, 10_000, 'refunded'));
  const versions = await Promise.all(ids.map(async (id) => (await now(id)).version));
  const repaired = async () => (await opsData<{ orders: { id: string }[] }>(commerce, 'order', 'recount')).orders;
  expect((await repaired()).map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids.slice(0, 4));
  expect(await repaired()).toEqual([]);
  const after = await Promise.all(ids.map(now));
  expect(after.map(({ payment_status }) => payment_status)).toEqual([
    ...['partially_paid', 'unpaid', 'paid', 'paid', 'refunded'],
  ]);
  expect([after[2]?.paid_at, await shop.levels()]).toEqual([NOW, ['6/2']]);
  expect(after.map(({ version }, at) => version - (versions[at] ?? 0))).toEqual([1, 1, 1, 1, 0]);
  expect((await auditedIn(commerce, shop.storeId)).filter((entry) => entry.includes('payment_status'))).toHaveLength(3);
});

it('open orders of which a part has arrived or was given up are found again by what is to be sent still', async () => {
  const shop = await orderShop(commerce, 9);
  const orders = [await shop.place(shop.cart(1)), await shop.place(shop.cart(1)), await shop.place(shop.cart(1))];
  const partly = `UPDATE sales_order SET fulfillment_status = $3 WHERE store_id = $1 AND id = $2`;
  for (const [at, state] of ['partially_delivered', 'partially_returned'].entries())
    await commerce.database.query(partly, [shop.storeId, orders[at]?.id, state]);
  const repaired = async () => (await opsData<{ orders: { id: string }[] }>(commerce, 'order', 'recount')).orders;
  expect((await repaired()).filter(({ id }) => orders.some((order) => order.id === id))).toMatchObject([
    { id: orders[0]?.id, payment_status: 'unpaid' },
    { id: orders[1]?.id, payment_status: 'unpaid' },
  ]);
  const { fulfillment_status } = (await shop.ask<Order>('GET', `/order/${orders[0]?.id}`)).body.data;
  expect([fulfillment_status, await repaired()]).toEqual(['none', []]);
});

describe('a payment in review', () => {
  const by = ({ storeId }: OrderShop) => ({ storeId, actor: 'provider a', at: commerce.clock.now() });
  /** An order of two hats, 20,000, and an attempt to pay it at provider A. */
  const begun = async (attempt = 1, given?: { shop: OrderShop; order: Order }) => {
    const shop = given?.shop ?? (await orderShop(commerce, 9));
    const order = given?.order ?? (await shop.place(shop.cart(2)));
    const id = uuidv7();
    await commerce.database.query(
      `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, invoice_number, amount, currency, mode, status, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $2, 'a', $5, 20000, 'IDR', 'platform', 'pending', $6, $6)`,
      [shop.storeId, id, order.id, attempt, `${order.number}-${attempt}`, NOW],
    );
    return { shop, order, id };
  };
  const came = (shop: OrderShop, id: string, amount: number) =>
    commerce.database.tx((tx) =>
      settlePayment(tx, by(shop), id, { amount, currency: 'IDR', paidAt: commerce.clock.now() }),
    );
  const orderNow = async (shop: OrderShop, { id }: Order) => (await shop.ask<Order>('GET', `/order/${id}`)).body.data;
  /** At provider b, where giving back takes a while. */
  const paidTwice = async () => {
    const { shop, order, id } = await begun();
    await came(shop, id, 20_000);
    const second = await begun(2, { shop, order });
    const ref = `UPDATE payment SET provider = 'b', provider_ref = 'inv-' || attempt WHERE store_id = $1`;
    await commerce.database.query(ref, [shop.storeId]);
    expect(await came(shop, second.id, 20_000)).toBe('review');
    return { shop, order, id, second };
  };
  const listed = async () => (await opsData<{ payments: { id: string }[] }>(commerce, 'payment', 'list')).payments;
  const money = async ({ storeId }: OrderShop) => {
    const { gateway_clearing, wallet_pending, wallet_available } = await balancesOf(commerce.database, storeId, 'IDR');
    return [gateway_clearing, wallet_pending, wallet_available];
  };

  it('of less than was asked for is settled with what came, and the rest stays due', async () => {
    const { shop, order, id } = await begun();
    expect(await came(shop, id, 15_000)).toBe('review');
    expect(await listed()).toContainEqual(
      expect.objectContaining({ id, review_reason: 'amount', told: '15000 IDR came, asked for were 20000 IDR' }),
    );
    expect((await ranOps(commerce, 'payment', 'accept', id)).error).toBe(
      'amount is needed: the whole number of IDR that came (15000 IDR came, asked for were 20000 IDR)\n',
    );
    const outcome = { store_id: shop.storeId, id, outcome: 'partially_paid' };
    expect(await opsData(commerce, 'payment', 'accept', id, '15000')).toEqual(outcome);
    expect(await orderNow(shop, order)).toMatchObject({ payment_status: 'partially_paid', paid_total: 15_000 });
    expect(await money(shop)).toEqual([15_000, 15_000, 0]);
    expect((await ranOps(commerce, 'payment', 'accept', id, '15000')).code).toBe(1);
    expect((await listed()).map((payment) => payment.id)).not.toContain(id);
  });

  it('is decided once: of ten who accept it at once one does', async () => {
    const { shop, id } = await begun();
    await came(shop, id, 20_001);
    const codes: number[] = [];
    const writer = {
      ...by(shop),
      audit: {
        tenantId: shop.storeId,
        actor: { id: 'o', name: 'o', kind: 'operator' as const },
        at: commerce.clock.now(),
      },
    };
    await Promise.all(
      Array.from({ length: 10 }, () =>
        commerce.database
          .tx((tx) => acceptPayment(tx, writer, id, 20_001))
          .then(
            () => codes.push(0),
            () => codes.push(1),
          ),
      ),
    );
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    // A second look would end the review of what is too much, which nobody has decided on
    expect((await ranOps(commerce, 'payment', 'accept', id, '20001')).code).toBe(1);
    expect((await listed()).map((payment) => payment.id)).toContain(id);
    expect(await money(shop)).toEqual([20_001, 20_001, 0]);
  });

  it('that pays an order twice keeps its money, or gives back what is too much', async () => {
    for (const decision of ['accept', 'refund'] as const) {
      const { shop, order, id } = await begun();
      await came(shop, id, 20_000);
      const second = await begun(2, { shop, order });
      expect(await came(shop, second.id, 20_000)).toBe('review');
      const words = decision === 'accept' ? [second.id] : [second.id, 'Bayar dua kali'];
      const { outcome } = await opsData<{ outcome: string }>(commerce, 'payment', decision, ...words);
      expect(outcome).toMatch(decision === 'accept' ? /^cleared$/ : /^refund [\w-]{36} succeeded, 20000 by manual$/);
      expect(await orderNow(shop, order)).toMatchObject({
        ...{ payment_status: 'paid', review_reason: null, paid_total: 40_000 },
        refunded_total: decision === 'accept' ? 0 : 20_000,
      });
      expect((await ranOps(commerce, 'payment', decision, ...words)).code).toBe(1);
    }
  });

  it('is given back anew when its refund has failed, and once until then', async () => {
    const { shop, order, second } = await paidTwice();
    const giveBack = async () => {
      const { outcome } = await opsData<{ outcome: string }>(commerce, 'payment', 'refund', second.id, 'Dua kali');
      return outcome.split(' ')[1] ?? '';
    };
    const first = await giveBack();
    expect(await giveBack()).toBe(first);
    await opsData(commerce, 'refund', 'failed', first, 'Tidak pernah dikirim');
    const again = await giveBack();
    expect([again === first, await giveBack()]).toEqual([false, again]);
    expect((await orderNow(shop, order)).refunds.map(({ status, amount }) => [status, amount])).toEqual([
      ['failed', 20_000],
      [expect.stringMatching(/requested|processing/), 20_000],
    ]);
  });

  it('that pays an order twice is given back once, whichever of both payments it is asked for', async () => {
    const { shop, order, id, second } = await paidTwice();
    await opsData(commerce, 'payment', 'refund', second.id, 'Dua kali');
    const other = await ranOps(commerce, 'payment', 'refund', id, 'Dua kali');
    expect([other.code, other.error]).toEqual([1, expect.stringContaining('on its way back')]);
    expect((await orderNow(shop, order)).refunds.map(({ amount }) => amount)).toEqual([20_000]);
  });

  it('that pays an order of which a part was given back goes back as a whole', async () => {
    const { shop, order, id } = await begun();
    await came(shop, id, 20_000);
    const line = { order_item_id: order.items[0]?.id, qty: 1, restock_to: order.warehouse_id };
    const { status } = await shop.ask(
      'POST',
      `/order/${order.id}/refund`,
      { method: 'manual', reason: 'Rusak', lines: [line] },
      'k1',
    );
    const second = await begun(2, { shop, order });
    expect([status, await came(shop, second.id, 20_000)]).toEqual([201, 'review']);
    const { outcome } = await opsData<{ outcome: string }>(commerce, 'payment', 'refund', second.id, 'Dua kali');
    expect(outcome).toMatch(/succeeded, 20000 by manual$/);
    const kept = { paid_total: 40_000, refunded_total: 30_000, payment_status: 'partially_refunded' };
    expect(await orderNow(shop, order)).toMatchObject(kept);
  });

  it('that pays an order a second time stays to be looked at when some of its lines are given back first', async () => {
    const { shop, order, id } = await begun();
    await came(shop, id, 20_000);
    const second = await begun(2, { shop, order });
    await came(shop, second.id, 20_000);
    const line = { order_item_id: order.items[0]?.id, qty: 1, restock_to: order.warehouse_id };
    await shop.ask('POST', `/order/${order.id}/refund`, { method: 'manual', reason: 'Rusak', lines: [line] }, 'k2');
    const looked = { refunded_total: 10_000, payment_status: 'review', review_reason: 'overpaid' };
    expect(await orderNow(shop, order)).toMatchObject(looked);
    await opsData(commerce, 'payment', 'refund', second.id, 'Dua kali');
    const kept = { paid_total: 40_000, refunded_total: 30_000, payment_status: 'partially_refunded' };
    expect(await orderNow(shop, order)).toMatchObject({ ...kept, review_reason: null });
    const [back] = (await orderNow(shop, order)).refunds.filter(({ amount }) => amount === 20_000);
    await commerce.database.tx((tx) =>
      comeBack(tx, by(shop), order.id, { id: back?.id ?? '', why: 'rekening ditutup' }),
    );
    expect(await orderNow(shop, order)).toMatchObject(looked);
  });

  it('of two that came for a cancelled order goes back where it came from, and leaves the other its own', async () => {
    const { shop, order, id } = await begun();
    const second = await begun(2, { shop, order });
    await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    const atB = `UPDATE payment SET provider = 'b', provider_ref = 'inv-2' WHERE store_id = $1 AND attempt = 2`;
    await commerce.database.query(atB, [shop.storeId]);
    for (const each of [id, second.id]) expect(await came(shop, each, 20_000)).toBe('review');
    for (const each of [id, second.id]) await opsData(commerce, 'payment', 'refund', each, 'Pesanan batal');
    const { refunds } = await orderNow(shop, order);
    expect(refunds.map(({ payment_id, method, amount }) => [payment_id, method, amount])).toEqual([
      [id, 'manual', 20_000],
      [second.id, 'provider', 20_000],
    ]);
  });

  it('of another sum that is not wanted is closed: its money is given back where it lies', async () => {
    const { shop, order, id } = await begun();
    await came(shop, id, 1);
    expect((await ranOps(commerce, 'payment', 'refund', id, 'Salah bayar')).code).toBe(0);
    expect([await money(shop), (await orderNow(shop, order)).payment_status]).toEqual([[0, 0, 0], 'unpaid']);
    expect((await listed()).map((payment) => payment.id)).not.toContain(id);
  });

  it('of which nothing is left to be given back is listed no more, though its order lacks its goods still', async () => {
    const { shop, order, id } = await begun();
    const lacks = `UPDATE sales_order SET payment_status = 'review', review_reason = 'stock' WHERE store_id = $1`;
    await commerce.database.query('UPDATE payment SET amount = 5000 WHERE store_id = $1 AND id = $2', [
      shop.storeId,
      id,
    ]);
    expect(await came(shop, id, 5_000)).toBe('partially_paid');
    await commerce.database.query(lacks, [shop.storeId]);
    expect((await listed()).map((payment) => payment.id)).toContain(id);
    await opsData(commerce, 'payment', 'refund', id, 'Habis');
    expect(await orderNow(shop, order)).toMatchObject({ refunded_total: 5_000, review_reason: 'stock' });
    expect((await listed()).map((payment) => payment.id)).not.toContain(id);
  });

  it('that nobody has to look at is refused either way', async () => {
    const { shop, id } = await begun();
    await came(shop, id, 20_000);
    for (const words of [['accept', id] as const, ['refund', id, 'x'] as const])
      expect((await ranOps(commerce, 'payment', ...words)).error).toBe(
        'Nobody has to look at this payment, nor at its order\n',
      );
    expect(await auditedIn(commerce, shop.storeId)).not.toContain('payment.review payment: outcome');
  });
});
