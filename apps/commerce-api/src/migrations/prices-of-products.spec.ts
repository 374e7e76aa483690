import { openDatabase } from '@platform/data';
import { silentLogger, uuidv7 } from '@platform/runtime';
import { useDatabase } from '@platform/testing';
import { migrations, schema } from '../data-source';
import { PricesOfProducts1763810100000 } from './1763810100000-prices-of-products';

const before = migrations.slice(0, migrations.indexOf(PricesOfProducts1763810100000));
const database = useDatabase({ schema, migrations: before });

it('products of the release before get the lowest price of their variants on sale, or none', async () => {
  await database.query(
    `INSERT INTO store (store_id, name, slug, currency, timezone, created_at, updated_at)
     VALUES ('S1', 'Toko', 'toko', 'IDR', 'Asia/Jakarta', now(), now())`,
  );
  const prices = { none: [], one: [5], several: [7, 3, 9] };
  for (const [slug, all] of Object.entries(prices)) {
    const id = uuidv7();
    await database.query(
      `INSERT INTO product (store_id, id, kind, name, slug, status, created_at, updated_at)
       VALUES ('S1', $1, 'physical', $2, $2, 'active', now(), now())`,
      [id, slug],
    );
    for (const [at, price] of [...all.entries(), [99, 1] as const])
      await database.query(
        `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, status, created_at, updated_at)
         VALUES ('S1', $1, $2, $3, $4, $5, $6, now(), now())`,
        [uuidv7(), id, `${slug}-${at}`, JSON.stringify({ n: at }), price, at === 99 ? 'archived' : 'active'],
      );
  }
  const newer = openDatabase({ url: database.url, schema, migrations, logger: silentLogger });
  await newer.migrate();
  await newer.stop?.();
  expect(await database.query('SELECT slug, price_min FROM product ORDER BY slug')).toEqual([
    { slug: 'none', price_min: null },
    { slug: 'one', price_min: '5' },
    { slug: 'several', price_min: '3' },
  ]);
});
