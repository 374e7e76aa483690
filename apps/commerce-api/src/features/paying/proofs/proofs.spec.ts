import { fixedClock, silentLogger, uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain, untilWaiting } from '@platform/testing';
import { auditedIn, invalid, refused, succeeded, type Answered } from '../../../asked.fixture';
import { bearer, newMember, NOW, startCommerce, useCommerce } from '../../../commerce.fixture';
import { OWNER_ID } from '../../../clients/store-auth.fake';
import { toldOf } from '../../notifications/notifications.fixture';
import type { Media } from '../../media/uploads/uploads.dto';
import type { Order, OrderEvent } from '../../sales/orders/orders.dto';
import { UnpaidOrders } from '../../sales/orders/order-expiry';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Proof } from './proofs.dto';

const commerce = useCommerce();
afterEach(async () => expect(await unexplained(commerce.database)).toEqual([]));

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const text = expect.any(String) as string;
/** One for the caller, that expires. */
const link = expect.stringMatching(/^https:\/\/shop\.example\/blob\/[\w-]+\.[\w-]{43}$/) as string;

interface Shop extends OrderShop {
  readonly order: Order;
}
/** An order of three hats, 30,000, to be paid by transfer. */
const shopWithOrder = async (): Promise<Shop> => {
  const shop = await orderShop(commerce, 9);
  const body = { ...shop.cart(3), payment_method: 'transfer' };
  return { ...shop, order: (await shop.ask<Order>('POST', '/order', body)).body.data };
};
const attach = async (
  { storeId, order }: Shop,
  fields: Record<string, string> = {},
  bytes: Buffer | undefined = PNG,
): Promise<Answered<Proof>> => {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), 'bukti.png');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const headers = bearer(commerce.storeAuth.userToken({ store_id: storeId }));
  const answer = await fetch(`${commerce.url}/api/order/${order.id}/payment_proof`, {
    method: 'POST',
    body: form,
    headers,
  });
  return { status: answer.status, body: (await answer.json()) as Answered<Proof>['body'] };
};
const review = (shop: Shop, body: object) =>
  shop.ask<Proof>('POST', `/order/${shop.order.id}/payment_proof/review`, body);
const orderNow = async (shop: Shop): Promise<Order> =>
  (await shop.ask<Order>('GET', `/order/${shop.order.id}`)).body.data;
const view = (shop: Shop, more: object = {}) => ({
  ...{ id: text, order_id: shop.order.id, amount: null, bank: null, status: 'pending', reviewer: null, note: null },
  media: {
    ...{ id: text, url: link, name: 'bukti.png', mime: 'image/png', bytes: PNG.length, width: null, height: null },
    ...{ purpose: 'proof', refs: 1, created_at: NOW },
  },
  ...{ created_at: NOW, ...more },
});

/** For what is refused, which leaves it as it was. */
let refusing: Shop;
beforeAll(async () => {
  refusing = await shopWithOrder();
});

describe('a payment proof', () => {
  it('is attached, and approved it pays the order: receipt, stock and timeline follow', async () => {
    const shop = await shopWithOrder();
    const attached = await attach(shop, { amount: '30000', bank: 'BCA' });
    const proof = view(shop, { amount: 30_000, bank: 'BCA' });
    expect(attached).toEqual(succeeded(201, 'Payment proof created', proof));
    const notices = await toldOf(commerce, shop.storeId, 'proof.sent');
    expect(notices).toEqual([`Bukti transfer untuk pesanan ${shop.order.number}`]);
    const { id } = attached.body.data;
    expect(await review(shop, { proof_id: id, decision: 'approve', note: 'Masuk' })).toEqual(
      succeeded(200, 'Payment proof updated', { ...proof, status: 'approved', reviewer: OWNER_ID, note: 'Masuk' }),
    );
    expect(await orderNow(shop)).toMatchObject({ payment_status: 'paid', paid_total: 30_000 });
    expect(await shop.levels()).toEqual(['6/0']);
    const { body } = await shop.ask<OrderEvent[]>('GET', `/order/${shop.order.id}/history`);
    expect(body.data.map(({ type }) => type)).toEqual(expect.arrayContaining(['placed', 'proof', 'proof_approved']));
    expect(await auditedIn(commerce, shop.storeId)).toContain('payment.record transfer_proof: note, reviewer, status');
  });

  it('of a part pays a part, and the rest stays due', async () => {
    const shop = await shopWithOrder();
    const { id } = (await attach(shop, { amount: '10000' })).body.data;
    expect((await review(shop, { proof_id: id, decision: 'approve' })).status).toBe(200);
    expect(await orderNow(shop)).toMatchObject({ payment_status: 'partially_paid', paid_total: 10_000 });
    const rest = (await attach(shop)).body.data;
    expect((await review(shop, { proof_id: rest.id, decision: 'approve' })).status).toBe(200);
    expect(await orderNow(shop)).toMatchObject({ payment_status: 'paid', paid_total: 30_000 });
  });

  it('of more than is due is not approved before the reviewer says what came in', async () => {
    const shop = await shopWithOrder();
    const { id } = (await attach(shop, { amount: '40000' })).body.data;
    expect(await review(shop, { proof_id: id, decision: 'approve' })).toEqual(
      invalid('amount', 'amount must be 30000 or less: that is due'),
    );
    expect((await orderNow(shop)).payment_status).toBe('unpaid');
    const approved = await review(shop, { proof_id: id, decision: 'approve', amount: 30_000 });
    expect(approved.body.data).toMatchObject({ status: 'approved', amount: 30_000 });
  });

  it('is rejected with a reason, pays nothing, and another may follow', async () => {
    const shop = await shopWithOrder();
    const { id } = (await attach(shop)).body.data;
    expect(await review(shop, { proof_id: id, decision: 'reject' })).toEqual(
      invalid('note', 'note is a required field'),
    );
    const note = 'Dananya belum masuk';
    expect(await review(shop, { proof_id: id, decision: 'reject', note })).toEqual(
      succeeded(200, 'Payment proof updated', view(shop, { status: 'rejected', reviewer: OWNER_ID, note })),
    );
    expect(await review(shop, { proof_id: id, decision: 'approve' })).toEqual(
      refused(409, 'invalid_transition', 'It is rejected: that cannot be done with it now'),
    );
    expect(await orderNow(shop)).toMatchObject({ payment_status: 'unpaid', paid_total: 0 });
    expect((await attach(shop)).status).toBe(201);
  });

  it('that two approve at once pays once, on two processes too', async () => {
    const other = await startCommerce({ DATABASE_URL: commerce.database.url });
    try {
      const shop = await shopWithOrder();
      const { id } = (await attach(shop, { amount: '10000' })).body.data;
      const path = `/order/${shop.order.id}/payment_proof/review`;
      const elsewhere = await newMember(commerce, shop.storeId, 'admin');
      const body = { proof_id: id, decision: 'approve' };
      const token = other.storeAuth.userToken({ sub: elsewhere.userId, store_id: shop.storeId, role: 'agent' });
      const answers = await commerce.database.tx(async (tx) => {
        // Neither gets ahead before both are under way
        await tx.query('SELECT 1 FROM sales_order WHERE id = $1 FOR UPDATE', [shop.order.id]);
        const asked = [review(shop, body), other.call('POST', `/api${path}`, token, body)];
        await untilWaiting(tx, ...asked);
        return asked;
      });
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses.sort()).toEqual([200, 409]);
      expect(await orderNow(shop)).toMatchObject({ payment_status: 'partially_paid', paid_total: 10_000 });
    } finally {
      await other.stop();
    }
  });

  it('of an order that is paid or cancelled is refused, and its file is not kept', async () => {
    const [paid, cancelled] = [await shopWithOrder(), await shopWithOrder()];
    const { id } = (await attach(paid)).body.data;
    await review(paid, { proof_id: id, decision: 'approve' });
    expect(await attach(paid)).toEqual(refused(409, 'paid', 'The order is paid'));
    await cancelled.ask('POST', `/order/${cancelled.order.id}/cancel`, { reason: 'x' });
    expect(await attach(cancelled)).toEqual(
      refused(409, 'invalid_transition', 'It is cancelled: that cannot be done with it now'),
    );
    expect((await cancelled.ask<Media[]>('GET', '/upload')).body.data).toEqual([]);
  });

  it('is one of ten at most, also of twelve at once, and no file of the others stays', async () => {
    const shop = await shopWithOrder();
    const answers = await Promise.all(Array.from({ length: 12 }, () => attach(shop)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 10 }, () => 201), 409, 409]);
    expect((await shop.ask<Media[]>('GET', '/upload')).body.data).toHaveLength(10);
  });

  it('is a picture or a PDF of 5 MB at most', async () => {
    const shop = await shopWithOrder();
    expect(await attach(shop, {}, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toMatchObject({
      status: 415,
    });
    expect(await attach(shop, {}, Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]))).toMatchObject({ status: 413 });
    expect((await attach(shop, {}, Buffer.from('%PDF-1.7\n%%EOF'))).status).toBe(201);
    expect(await shop.ask('POST', `/order/${shop.order.id}/payment_proof`, {})).toEqual(
      invalid('file', 'file is a required field'),
    );
  });

  it.each([
    ['of nothing', { amount: '0' }, 'amount', 'amount must be 1 or greater'],
    ['of a negative amount', { amount: '-5' }, 'amount', 'amount must be an integer'],
    [
      'with a bank of 61 letters',
      { bank: 'x'.repeat(61) },
      'bank',
      'bank must be a maximum of 60 characters in length',
    ],
    ['with U+0000', { bank: 'a\0' }, 'bank', "bank cannot contain the following 'U+0000'"],
  ])('%s is refused', async (_, fields: Record<string, string>, field, message) =>
    expect(await attach(refusing, fields)).toEqual(invalid(field, message)),
  );

  it('is private: its file has no address, and cannot be deleted while the proof is there', async () => {
    const shop = await shopWithOrder();
    const { media } = (await attach(shop)).body.data;
    const [row] = await commerce.database.query<{ key: string }>('SELECT key FROM media WHERE id = $1', [media.id]);
    expect((await fetch(`${commerce.url}/blob/${shop.storeId}/${row?.key}`)).status).toBe(404);
    expect(await shop.ask('DELETE', `/upload/${media.id}`)).toEqual(refused(409, 'in_use', 'The file is in use'));
  });

  it('of another store or another order is 404', async () => {
    const [mine, theirs] = [await shopWithOrder(), await shopWithOrder()];
    const { id } = (await attach(theirs)).body.data;
    expect((await attach({ ...mine, order: theirs.order })).status).toBe(404);
    expect((await review({ ...mine, order: theirs.order }, { proof_id: id, decision: 'approve' })).status).toBe(404);
    expect(await review(mine, { proof_id: id, decision: 'approve' })).toEqual(
      refused(404, 'not_found', 'Payment proof not found'),
    );
    expect((await review(mine, { proof_id: uuidv7(), decision: 'approve' })).status).toBe(404);
    expect((await orderNow(theirs)).payment_status).toBe('unpaid');
  });

  it('is attached by whoever takes orders, and reviewed by whoever records payments', async () => {
    const shop = await shopWithOrder();
    const { id } = (await attach(shop)).body.data;
    const { token } = await newMember(commerce, shop.storeId, 'cs');
    const path = `/api/order/${shop.order.id}/payment_proof/review`;
    const { status, body } = await commerce.call('POST', path, token, { proof_id: id, decision: 'approve' });
    expect({ status, body }).toEqual(
      refused(403, 'forbidden', 'This needs the ability payment.record', { ability: 'payment.record' }),
    );
  });
});

describe('an order with a proof that nobody has looked at', () => {
  const A_DAY_LATER = '2026-03-02T08:00:00.000Z';
  const A_WEEK_LATER = '2026-03-08T08:00:00.000Z';
  /** Cancels what was not paid in time, a day later, on sessions of its own. */
  const expire = (at = A_DAY_LATER) =>
    new UnpaidOrders({ database: commerce.database, clock: fixedClock(at), logger: silentLogger }).cancel();
  const rejected = async (shop: Shop, { id: proof_id }: Proof): Promise<string | null> => {
    expect((await review(shop, { proof_id, decision: 'reject', note: 'Salah' })).status).toBe(200);
    return (await orderNow(shop)).pay_expires_at;
  };

  const shownOf = ({ media, order_id: _order, ...proof }: Proof) => ({ ...proof, media_id: media.id });

  it('waits a week for that, edited or not, until the last one is rejected, and all its time then', async () => {
    const shop = await shopWithOrder();
    expect(shop.order.pay_expires_at).toBe(A_DAY_LATER);
    const [first, second] = [(await attach(shop)).body.data, (await attach(shop)).body.data];
    const ends = [(await orderNow(shop)).pay_expires_at, await rejected(shop, first)];
    const edit = { ...shop.cart(2), payment_method: 'transfer', version: shop.order.version };
    ends.push((await shop.ask<Order>('PUT', `/order/${shop.order.id}`, edit)).body.data.pay_expires_at);
    expect([...ends, await rejected(shop, second)]).toEqual([A_WEEK_LATER, A_WEEK_LATER, A_WEEK_LATER, A_DAY_LATER]);
  });

  it('that is at work or paid in part has no end when its proof is rejected either', async () => {
    const [worked, begun] = [await shopWithOrder(), await shopWithOrder()];
    const proofs = [(await attach(worked)).body.data, (await attach(begun)).body.data] as const;
    await worked.ask('POST', '/order/change_status', { order_id: worked.order.id, status: 'processing' });
    await begun.pay(begun.order.id, { amount: 1 });
    expect([await rejected(worked, proofs[0]), await rejected(begun, proofs[1])]).toEqual([null, null]);
  });

  it('that comes before another replica cancels the order keeps it', async () => {
    const shop = await shopWithOrder();
    const asked = await commerce.database.tx(async (tx) => {
      await tx.query('SELECT 1 FROM sales_order WHERE id = $1 FOR UPDATE', [shop.order.id]);
      const attached = attach(shop);
      await untilWaiting(tx, attached);
      // It passes over what somebody holds
      await expire();
      return { attached };
    });
    expect((await asked.attached).status).toBe(201);
    await expire();
    expect([await orderNow(shop), await shop.levels()]).toEqual([
      { ...shop.order, pay_expires_at: A_WEEK_LATER, proofs: [shownOf((await asked.attached).body.data)] },
      ['9/3'],
    ]);
  });

  it('that nobody looks at for a week is cancelled and holds nothing, and opens again when the proof is approved after all', async () => {
    const shop = await shopWithOrder();
    const { id: proof_id } = (await attach(shop)).body.data;
    await commerce.database.query(
      `UPDATE transfer_proof SET created_at = created_at - interval '1 day' WHERE id = $1`,
      [proof_id],
    );
    // One more proof does not keep it longer than the first that waits
    await attach(shop);
    expect((await orderNow(shop)).pay_expires_at).toBe(A_WEEK_LATER);
    await expire(A_WEEK_LATER);
    expect([(await orderNow(shop)).status, await shop.levels()]).toEqual(['cancelled', ['9/0']]);
    expect((await review(shop, { proof_id, decision: 'approve' })).status).toBe(200);
    expect(await orderNow(shop)).toMatchObject({ status: 'open', payment_status: 'paid', paid_total: 30_000 });
    expect(await shop.levels()).toEqual(['6/0']);
  });

  it('that comes while another replica cancels the order is one of an order that is late, and approved opens it again', async () => {
    const shop = await shopWithOrder();
    const asked = await commerce.database.tx(async (tx) => {
      await tx.query('SELECT 1 FROM stock_level WHERE store_id = $1 FOR UPDATE', [shop.storeId]);
      const expired = expire();
      await untilWaiting(tx, expired);
      const attached = attach(shop);
      await untilWaiting(tx, expired, attached);
      return { attached, expired };
    });
    await asked.expired;
    const attached = await asked.attached;
    expect(await orderNow(shop)).toMatchObject({ status: 'cancelled', payment_status: 'expired' });
    expect([attached.status, await shop.levels()]).toEqual([201, ['9/0']]);
    expect((await review(shop, { proof_id: attached.body.data.id, decision: 'approve' })).status).toBe(200);
    expect(await orderNow(shop)).toMatchObject({ status: 'open', payment_status: 'paid', paid_total: 30_000 });
  });
});

it('the proofs of an order are read by index', async () =>
  expectNoSeqScan(
    await explain(commerce.database, 'SELECT count(*) FROM transfer_proof WHERE store_id = $1 AND order_id = $2', [
      'S1',
      uuidv7(),
    ]),
  ));
