import { useRunning } from '@platform/testing';
import { NOW, startCommerce } from '../../../commerce.fixture';
import { shippingShop } from '../../shipping/shipments/shipments.fixture';
import { announceOrder } from './order.announcements';

const commerce = useRunning(() => startCommerce());

const DAY_MS = 86_400_000;
const later = (days: number): Date => new Date(Date.parse(NOW) + days * DAY_MS);

const kindsOf = async (storeId: string, id: string): Promise<string[]> => {
  const announced = 'SELECT kind FROM shop_event WHERE store_id = $1 AND subject_id = $2 ORDER BY kind';
  return (await commerce.database.query<{ kind: string }>(announced, [storeId, id])).map(({ kind }) => kind);
};

/** What would be told of an order if nobody had been told before. */
const forgotten = async (storeId: string): Promise<void> => {
  await commerce.database.query('DELETE FROM shop_event WHERE store_id = $1', [storeId]);
};

it('what happened to an order is announced once, however many look for news at one moment', async () => {
  const shop = await shippingShop(commerce, 20);
  const order = await shop.place(shop.cart(2));
  await shop.ship(order, [1], { courier: 'jne', waybill: 'JNE0001234' });
  await forgotten(shop.storeId);
  const look = () => commerce.database.tx((tx) => announceOrder(tx, { storeId: shop.storeId, id: order.id }, later(0)));
  await Promise.all(Array.from({ length: 10 }, look));
  expect(await kindsOf(shop.storeId, order.id)).toEqual(['order.created', 'order.shipped']);
});

it('what is older than three days is news to nobody', async () => {
  const shop = await shippingShop(commerce, 20);
  const order = await shop.place(shop.cart(1));
  await forgotten(shop.storeId);
  const lookAfter = (days: number) =>
    commerce.database.tx((tx) => announceOrder(tx, { storeId: shop.storeId, id: order.id }, later(days)));
  await lookAfter(3);
  expect(await kindsOf(shop.storeId, order.id)).toEqual([]);
  await lookAfter(2.9);
  expect(await kindsOf(shop.storeId, order.id)).toEqual(['order.created']);
});
