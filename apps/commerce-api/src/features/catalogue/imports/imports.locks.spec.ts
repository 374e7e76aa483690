import { untilWaiting } from '@platform/testing';
import { ownStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import { productImport } from './public';

const commerce = useCommerce();

it('an import that counts goods holds none of them while it waits for another that comes first in an order of both', async () => {
  const { storeId } = await ownStore(commerce, [
    { sku: 'A', name: 'Topi', stock: 3 },
    { sku: 'B', name: 'Kaos', stock: 3 },
  ]);
  const { database, clock } = commerce;
  const level = `SELECT s.warehouse_id AS id FROM stock_level s JOIN variant v ON v.store_id = s.store_id AND v.id = s.variant_id
    WHERE s.store_id = $1 AND v.sku = $2 FOR UPDATE OF s`;
  const levels = await database.query<{ sku: string; id: string }>(
    `SELECT v.sku, s.warehouse_id AS id FROM stock_level s JOIN variant v ON v.store_id = s.store_id AND v.id = s.variant_id
     WHERE s.store_id = $1 ORDER BY s.variant_id`,
    [storeId],
  );
  const [first, last] = levels as [(typeof levels)[0], (typeof levels)[0]];
  const items = [last, first].map(({ sku, id }, at) => ({
    ...{ rows: [at + 2], product: {}, options: [] },
    variants: [{ sku, option_values: {}, stock: [{ warehouse_id: id, on_hand: 9 }] }],
  }));
  const [actor, at] = [{ id: 'u1', name: 'Sari', kind: 'user' as const }, clock.now()];
  const by = { storeId, actor: actor.id, at, audit: { tenantId: storeId, actor, at } };
  const { imported } = await database.tx(async (tx) => {
    await tx.query(level, [storeId, first.sku]);
    const importing = database.tx((other) => productImport(database).write(other, by, items, 'upsert'));
    await untilWaiting(tx, importing);
    await tx.query(`${level} NOWAIT`, [storeId, last.sku]);
    return { imported: importing };
  });
  expect(await imported).toEqual(['updated', 'updated']);
});
