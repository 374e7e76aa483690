import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { NOW, useCommerce } from '../../commerce.fixture';
import type { Order } from '../sales/orders/orders.dto';
import { orderShop, type OrderShop } from '../sales/orders/orders.fixture';
import { settlePayment } from '../sales/payments/public';
import { acceptPayment } from '../sales/reviews/public';

const commerce = useCommerce();

const by = ({ storeId }: OrderShop) => ({ storeId, actor: 'provider a', at: commerce.clock.now() });
/** An attempt to pay an order of 20,000 at provider A. */
const attempt = async (shop: OrderShop, order: Order, count: number): Promise<string> => {
  const id = uuidv7();
  await commerce.database.query(
    `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, invoice_number, amount, currency, mode, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $2, 'a', $5, 20000, 'IDR', 'platform', 'pending', $6, $6)`,
    [shop.storeId, id, order.id, count, `${order.number}-${count}`, NOW],
  );
  return id;
};
const came = (shop: OrderShop, id: string, amount = 20_000) =>
  commerce.database.tx((tx) =>
    settlePayment(tx, by(shop), id, { amount, currency: 'IDR', paidAt: commerce.clock.now() }),
  );
const WAITING = `SELECT 1 FROM commerce_api_jobs._private_jobs j JOIN commerce_api_jobs._private_tasks t ON t.id = j.task_id
  WHERE t.identifier IN ('order.changed', 'order.paid.history', 'event.told', 'notification.send')`;
/** What members were told of it, once nothing more is to come. */
const toldOf = async ({ storeId }: OrderShop): Promise<string[]> => {
  await until(async () => (await commerce.database.query(WAITING)).length === 0);
  const told = `SELECT DISTINCT notice_id, body FROM notification WHERE store_id = $1 AND event = 'order.review'`;
  return (await commerce.database.query<{ body: string }>(told, [storeId])).map(({ body }) => body);
};
const toBeLookedAt = ({ number }: Order) => `Pembayaran pesanan ${number} perlu diperiksa`;

describe('money that somebody must look at', () => {
  it('is told of when it comes, once, and not when somebody has looked at it', async () => {
    const shop = await orderShop(commerce, 9);
    const order = await shop.place(shop.cart(2));
    const [first, second] = [await attempt(shop, order, 1), await attempt(shop, order, 2)];
    expect([await came(shop, first), await came(shop, second)]).toEqual(['paid', 'review']);
    expect(await toldOf(shop)).toEqual([toBeLookedAt(order)]);
    await shop.ask('POST', `/order/${order.id}/waybill`, { courier: 'jne', waybill: 'JNE0009001' });
    const actor = { id: 'o', name: 'o', kind: 'operator' as const };
    const writer = { ...by(shop), audit: { tenantId: shop.storeId, actor, at: commerce.clock.now() } };
    await commerce.database.tx((tx) => acceptPayment(tx, writer, second));
    expect(await toldOf(shop)).toEqual([toBeLookedAt(order)]);
  });

  it('is told of where it is another sum than was asked for, which pays nothing', async () => {
    const shop = await orderShop(commerce, 9);
    const order = await shop.place(shop.cart(2));
    const id = await attempt(shop, order, 1);
    expect([await came(shop, id, 15_000), await came(shop, id, 15_000)]).toEqual(['review', 'review']);
    expect(await toldOf(shop)).toEqual([toBeLookedAt(order)]);
  });
});
