import { uuidv7 } from '@platform/runtime';
import { explain, expectNoSeqScan, useDatabase } from '@platform/testing';
import { migrations, schema } from './data-source';
import { productListing } from './features/catalogue/products/product-list.sql';
import { SegmentQuery } from './features/contacts/people/contact.dto';
import { contactListing } from './features/contacts/people/contact.sql';
import { phoneSought } from './search-text';
import { orderListing } from './features/sales/orders/orders.sql';

const [STORE, LARGE] = ['S1', 'S2'];
const database = useDatabase({ schema, migrations });

/** The same numbers in every run. */
const random = (seed: number) => () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const next = random(20_261_123);
const below = (most: number): number => Math.floor(next() * most);
const SIGNS = ['0', '1', '1', '2', '12', '0012', '6281', '-', '+', ' ', 'ord-', 'budi', '%', '_', '\\', '١', 'İ'];
const anyText = (): string =>
  Array.from({ length: 2 + below(12) }, () => SIGNS[below(SIGNS.length)])
    .join('')
    .trim();

const CONTACT = `INSERT INTO contact (store_id, id, name, version, search_text, created_at, updated_at)`;

beforeAll(async () => {
  for (const store of [STORE, LARGE])
    await database.query(
      `INSERT INTO store (store_id, name, slug, currency, timezone, created_at, updated_at)
       VALUES ($1, 'Toko', $2, 'IDR', 'Asia/Jakarta', now(), now())`,
      [store, store.toLowerCase()],
    );
  const rows = `now() + n * interval '1 s', now() FROM generate_series(1, 4000) AS n`;
  const numbers = `'ord-' || 1000000 + n * 7919 % 1000000 || ' budi 62811' || 1000000 + n * 104729 % 8999999`;
  for (const sql of [
    `${CONTACT} SELECT '${LARGE}', uuidv7(), 'Budi', 1, ${numbers}, ${rows}`,
    `INSERT INTO product (store_id, id, kind, name, slug, status, search_text, created_at, updated_at)
     SELECT '${LARGE}', uuidv7(), 'physical', 'Tas', 'tas-' || n, 'active', ${numbers}, ${rows}`,
    `INSERT INTO sales_order (store_id, id, number, channel, status, payment_status, buyer, payment_method, currency, search_text, created_at, updated_at)
     SELECT '${LARGE}', uuidv7(), 'N-' || n, 'manual', 'open', 'unpaid', '{}', 'cash', 'IDR', ${numbers}, ${rows}`,
    'ANALYZE contact, product, sales_order',
  ])
    await database.query(sql);
});

/** What a comparison of the texts finds. */
const containing = async (word: string): Promise<string[]> => {
  const found = await database.query<{ id: string }>(
    'SELECT id FROM contact WHERE store_id = $1 AND strpos(search_text, lower($2)) > 0 ORDER BY id',
    [STORE, word],
  );
  return found.map(({ id }) => id);
};

it('a list finds by any part of a number the same rows as a comparison of the texts', async () => {
  const texts = Array.from({ length: 90 }, anyText);
  for (const text of texts)
    await database.query(`${CONTACT} VALUES ($1, $2, 'Budi', 1, lower($3), now(), now())`, [STORE, uuidv7(), text]);
  let numbers = 0;
  for (let round = 0; round < 400; round += 1) {
    const text = texts[below(texts.length)] ?? '';
    const from = below(text.length);
    const [word] = text.slice(from, from + 1 + below(12)).split(/\s/);
    if (!word) continue;
    const query = Object.assign(new SegmentQuery(), { q: word, per_page: 100 });
    const { rows, total } = await contactListing.page(database, STORE, query);
    const expected = await containing(word);
    if (/[0-9]{4}/.test(word)) numbers += expected.length;
    expect({ word, total, ids: rows.map(({ id }) => id).sort() }).toEqual({
      ...{ word, total: expected.length, ids: expected },
    });
  }
  expect(numbers).toBeGreaterThan(100);
});

it.each([
  ['orders', 'sales_order', orderListing.statements(LARGE, { q: 'ord-1007919', seen: undefined })],
  ['contacts', 'contact', contactListing.statements(LARGE, { q: '628111104729' } as SegmentQuery)],
  ['products', 'product', productListing.statements(LARGE, { q: '1007919' })],
])('%s are sought by numbers in the index of their digits, and in no other', async (_, table, statements) => {
  for (const { text, values } of Object.values(statements)) {
    const plan = await explain(database, text, values);
    expectNoSeqScan(plan, table);
    expect(JSON.stringify(plan)).toContain(`"${table}_store_digits"`);
    expect(JSON.stringify(plan)).not.toContain(`"${table}_search"`);
  }
});

it.each([
  ['081234567890', '6281234567890'],
  ['0812-3456.7890', '6281234567890'],
  ['+6281234', '6281234'],
  ['0812', '62812'],
  ['081', '081'],
  ['INV-0812', 'INV-0812'],
  ['0212345678', '0212345678'],
])('%s is sought as %s among people', (typed, sought) => expect(phoneSought(typed)).toBe(sought));

it('words without four digits in a row are sought as they were', () => {
  for (const { text } of Object.values(orderListing.statements(STORE, { q: 'budi 123 1-2-3-4', seen: undefined })))
    expect(text).not.toContain('store_digits');
});
