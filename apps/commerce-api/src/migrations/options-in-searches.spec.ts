import { openDatabase } from '@platform/data';
import { silentLogger, uuidv7 } from '@platform/runtime';
import { useDatabase } from '@platform/testing';
import { migrations, schema } from '../data-source';
import { OptionsInSearches1763953000000 } from './1763953000000-options-in-searches';

const before = migrations.slice(0, migrations.indexOf(OptionsInSearches1763953000000));
const database = useDatabase({ schema, migrations: before });

it('products of the release before are found by the values of their options as well, but not by those of what is no longer sold', async () => {
  await database.query(
    `INSERT INTO store (store_id, name, slug, currency, timezone, created_at, updated_at)
     VALUES ('S1', 'Toko', 'toko', 'IDR', 'Asia/Jakarta', now(), now())`,
  );
  const id = uuidv7();
  await database.query(
    `INSERT INTO product (store_id, id, kind, name, slug, status, search_text, created_at, updated_at)
     VALUES ('S1', $1, 'physical', 'Kaos', 'kaos', 'active', 'kaos k-1 k-2', now(), now())`,
    [id],
  );
  const colours = [
    ['Merah', 'active'],
    ['Biru', 'active'],
    ['Hijau', 'archived'],
  ];
  for (const [at, [Warna, status]] of colours.entries())
    await database.query(
      `INSERT INTO variant (store_id, id, product_id, sku, option_values, price, status, created_at, updated_at)
       VALUES ('S1', $1, $2, $3, $4, 1, $5, now(), now())`,
      [uuidv7(), id, `K-${at + 1}`, JSON.stringify({ Warna, Ukuran: 'XL' }), status],
    );
  const newer = openDatabase({ url: database.url, schema, migrations, logger: silentLogger });
  await newer.migrate();
  await newer.stop?.();
  expect(await database.query('SELECT search_text FROM product')).toEqual([
    { search_text: 'kaos k-1 k-2 biru merah xl' },
  ]);
});
