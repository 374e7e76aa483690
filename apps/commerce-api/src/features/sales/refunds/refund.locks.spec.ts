import { uuidv7 } from '@platform/runtime';
import { untilWaiting } from '@platform/testing';
import { useCommerce } from '../../../commerce.fixture';
import { unexplained } from '../../stock/levels/shelf.fixture';
import type { Order } from '../orders/orders.dto';
import { orderShop } from '../orders/orders.fixture';

const commerce = useCommerce();

it('a refund that puts goods back into two warehouses holds none of them while it waits for another that comes first', async () => {
  const shop = await orderShop(commerce, 5, 5);
  const address = { name: 'x', phone: '6281234567890', line: 'x' };
  const second = { name: 'Gudang 2', phone: '6281234567890', address };
  const { id: other } = (await shop.ask<{ id: string }>('POST', '/warehouse', second)).body.data;
  const stock = shop.variants.map((variant_id) => ({ variant_id, counted: 5 }));
  await shop.ask('PUT', `/warehouse/${other}/stock`, { lines: stock });
  const placed = await shop.place(shop.cart(1, 1));
  await shop.pay(placed.id);
  const [first, last] = [...shop.variants].sort() as [string, string];
  const lineOf = (variant: string, restock_to: string | null) => {
    const order_item_id = placed.items.find(({ variant_id }) => variant_id === variant)?.id;
    return { order_item_id, qty: 1, restock_to };
  };
  const [one, two] = [placed.warehouse_id ?? '', other].sort() as [string, string];
  const lines = [lineOf(last, one), lineOf(first, two)];
  const level = 'SELECT FROM stock_level WHERE store_id = $1 AND variant_id = $2 FOR UPDATE';
  const { refunded } = await commerce.database.tx(async (tx) => {
    await tx.query(level, [shop.storeId, first]);
    const body = { method: 'manual', reason: 'x', lines };
    const refunding = shop.ask<Order>('POST', `/order/${placed.id}/refund`, body, uuidv7());
    await untilWaiting(tx, refunding);
    await tx.query(`${level} NOWAIT`, [shop.storeId, last]);
    return { refunded: refunding };
  });
  expect((await refunded).status).toBe(201);
  expect(await unexplained(commerce.database)).toEqual([]);
});
