import { openDatabase } from '@platform/data';
import { silentLogger, uuidv7 } from '@platform/runtime';
import { useDatabase } from '@platform/testing';
import { migrations, schema } from '../data-source';
import { ProductDaily1763921000000 } from './1763921000000-product-daily';

const before = migrations.slice(0, migrations.indexOf(ProductDaily1763921000000));
const database = useDatabase({ schema, migrations: before });

const ORDER = `
  INSERT INTO sales_order (store_id, id, number, channel, status, payment_status, buyer, payment_method, subtotal, total, paid_total, currency,
    search_text, placed_at, paid_at, created_at, updated_at)
  VALUES ('S1', $1::uuid, $1::uuid::text, 'manual', 'processing', 'paid', '{"name":"Budi"}', 'cash', 10, 10, 10, 'IDR', '', $2, $3, $2, $2)`;
const PAYMENT = `
  INSERT INTO payment (store_id, id, order_id, attempt, request_id, provider, amount, currency, status, paid_at, created_at, updated_at)
  VALUES ('S1', $1::uuid, $1::uuid, 1, $1::uuid, 'cash', 10, 'IDR', 'paid', $2, $2, $2)`;
const REFUND = `
  INSERT INTO refund (store_id, id, order_id, payment_id, idempotency_key, request_hash, amount, tax, currency, fee_share, method, status, reason,
    actor, ended_at, created_at, updated_at)
  VALUES ('S1', $1::uuid, $1::uuid, $1::uuid, 'key', '', 5, 0, 'IDR', 0, 'manual', 'succeeded', 'rusak', 'test', $2, $2, $2)`;
const DAYS = 'SELECT day::text AS day FROM product_daily_change ORDER BY day';

it('days on which orders of the release before were paid or refunded are to be summed up, once, whenever it is tried again', async () => {
  await database.query(
    `INSERT INTO store (store_id, name, slug, currency, timezone, created_at, updated_at)
     VALUES ('S1', 'Toko', 'toko', 'IDR', 'Asia/Jakarta', now(), now())`,
  );
  const [refunded, same, unpaid] = [uuidv7(), uuidv7(), uuidv7()];
  await database.query(ORDER, [refunded, '2026-01-01T00:00:00Z', '2026-01-31T23:59:59Z']);
  await database.query(ORDER, [same, '2026-01-01T00:00:00Z', '2026-01-31T01:00:00Z']);
  await database.query(ORDER, [unpaid, '2026-01-05T00:00:00Z', null]);
  await database.query(PAYMENT, [refunded, '2026-01-31T23:59:59Z']);
  await database.query(REFUND, [refunded, '2026-02-14T00:00:00Z']);
  const newer = openDatabase({ url: database.url, schema, migrations, logger: silentLogger });
  await newer.migrate();
  await newer.stop?.();
  expect(await database.query(DAYS)).toEqual([{ day: '2026-01-31' }, { day: '2026-02-14' }]);
  for (const step of new ProductDaily1763921000000().steps) await database.query(step);
  expect(await database.query(DAYS)).toHaveLength(2);
  await database.query(`UPDATE sales_order SET paid_at = '2026-03-01T00:00:00Z' WHERE id = $1`, [unpaid]);
  expect(await database.query(DAYS)).toEqual([{ day: '2026-01-31' }, { day: '2026-02-14' }, { day: '2026-03-01' }]);
});
