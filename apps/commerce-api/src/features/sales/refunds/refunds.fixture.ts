import { secretBox } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';
import { until } from '@platform/testing';
import { NOW, type Commerce } from '../../../commerce.fixture';
import type { GatewayClient } from '../../gateways/port';
import type { Order } from '../orders/orders.dto';
import { orderShop, type OrderShop } from '../orders/orders.fixture';
import { settlePayment } from '../payments/public';
import { Refunds } from './refund.execute';

/** Until the service's own job of a refund has found no account of a provider: it comes again later, and leaves it alone meanwhile. */
export const leftAlone = async ({ database }: Pick<Commerce, 'database'>, id: string): Promise<void> => {
  const failed = `SELECT 1 FROM commerce_api_jobs._private_jobs WHERE key = $1 AND last_error IS NOT NULL AND locked_at IS NULL`;
  await until(async () => (await database.query(failed, [`refund:${id}`])).length > 0 || undefined);
};

interface PaidOrder {
  readonly shop: OrderShop;
  readonly order: Order;
}

interface Came extends Pick<PaidOrder, 'order'> {
  readonly shop: Pick<OrderShop, 'storeId'>;
  readonly attempt?: number;
  readonly amount: number;
}

/** The account of a buyer. */
export const BANK = { bank_code: 'BCA', number: '1234567890', holder: 'Budi Santoso' };

/** So much of an order is paid to the platform through provider B, which keeps 500, as the platform keeps 1,000. Resolves to how the order stands. */
export const comesToPlatform = async (
  commerce: Commerce,
  { shop, order, attempt = 1, amount }: Came,
): Promise<string> => {
  const id = uuidv7();
  await commerce.database.query(
    `INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, provider_ref, invoice_number, amount, currency, status, mode,
       platform_fee, created_at, updated_at)
     VALUES ($1, $2, $3, $7::int, $2, 'b', 'inv-' || $7::int, $4, $5, 'IDR', 'pending', 'platform', 1000, $6, $6)`,
    [shop.storeId, id, order.id, `${order.number}-${attempt}`, amount, NOW, attempt],
  );
  const at = new Date(NOW);
  const by = { storeId: shop.storeId, actor: 'provider:b', at };
  const fact = { amount, currency: 'IDR', paidAt: at, fee: 500 };
  return commerce.database.tx((tx) => settlePayment(tx, by, id, fact));
};

/** An order of so many hats, paid so. */
export const paidToPlatform = async (commerce: Commerce, pieces: number): Promise<PaidOrder> => {
  const shop = await orderShop(commerce, 9);
  const order = await shop.place(shop.cart(pieces));
  expect(await comesToPlatform(commerce, { shop, order, amount: order.total })).toBe('paid');
  return { shop, order: (await shop.ask<Order>('GET', `/order/${order.id}`)).body.data };
};

/** What is not asked. */
export const never = () => Promise.reject(new Error('not asked here'));

/** What provider B answers. */
export const providerB = (answers: Partial<GatewayClient>): GatewayClient => ({
  ...{ code: 'b', create: never, status: never, payoutStatus: never },
  ...answers,
});

/** Whoever gives money back through this provider. */
export const refundsBy = ({ database, clock, config }: Commerce, client: GatewayClient | undefined): Refunds =>
  new Refunds({
    ...{ database, clock, accountOf: async () => client },
    box: secretBox(config.SHOP_SECRETS_KEY, { setting: 'SHOP_SECRETS_KEY' }),
  });
