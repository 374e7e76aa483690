import { expectNoSeqScan, explain, fill, vacuumed } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { invalid, succeeded, auditedIn } from '../../../asked.fixture';
import { newMember, NOW, useCommerce } from '../../../commerce.fixture';
import { digitalShop, fileForm, type DigitalShop } from '../digital.fixture';
import type { DigitalProduct } from '../goods/goods.dto';
import { freeKeys } from '../rights/public';
import { HOLD } from '../rights/rights.sql';
import type { LicenseKey } from './keys.dto';
import { keyListing } from './keys.sql';
import { endOf } from './key.text';

const commerce = useCommerce();
const text = expect.any(String) as string;
const pathOf = ({ product }: DigitalShop): string => `/digital-store/${product.id}/license-keys`;
const add = (shop: DigitalShop, body: object) => shop.ask('POST', pathOf(shop), body);
const added = (more: number, duplicates: number) => succeeded(200, 'Licence keys added', { added: more, duplicates });
const txt = (content: string | Buffer): FormData => fileForm('keys.txt', Buffer.from(content as string));

describe('licence keys', () => {
  it('are added once, whatever is around them, and shown by their last four characters', async () => {
    const shop = await digitalShop(commerce, { keys: [] });
    expect(await add(shop, { keys: ['AAAA-1111', ' BBBB-2222 ', 'AAAA-1111'] })).toEqual(added(2, 1));
    expect(await add(shop, { keys: ['BBBB-2222', 'CCCC-3333', 'aaaa-1111'] })).toEqual(added(2, 1));
    const listed = await shop.ask<LicenseKey[]>('GET', pathOf(shop));
    expect(listed.body.data.toSorted((one, other) => (one.key < other.key ? -1 : 1))).toEqual(
      ['****1111', '****1111', '****2222', '****3333'].map((key) => ({
        ...{ id: text, key, state: 'free', order: null, created_at: NOW },
      })),
    );
    const { body } = await shop.ask<DigitalProduct>('GET', `/digital-store/${shop.product.id}`);
    expect([body.data.keys, body.data.available]).toEqual([{ free: 4, held: 0, assigned: 0, revoked: 0 }, 4]);
    expect((await shop.ask<DigitalProduct[]>('GET', '/digital-store')).body.data.map((row) => row.available)).toEqual([
      4,
    ]);
  });

  it('of a file are its lines, with a mark at its beginning, with whatever line ends, and without blank ones', async () => {
    const shop = await digitalShop(commerce, { keys: ['TWO-22222222'] });
    const content = '\uFEFFONE-11111111\r\n\r\nTWO-22222222\n   \n\tTHREE-33333333 \rFOUR-44444444';
    expect(await add(shop, txt(content))).toEqual(added(3, 1));
    expect(await shop.keys()).toEqual(['1111 free', '2222 free', '3333 free', '4444 free']);
    const sold = await shop.ask<object[]>('GET', `${pathOf(shop)}?state=held`);
    expect(sold.body.data).toEqual([]);
  });

  it('are refused with the place, never the text, of what nobody can type, is blank or too long', async () => {
    const shop = await digitalShop(commerce, { keys: [] });
    const untypable = 'has characters that nobody can type';
    const cases: [body: object, field: string, message: string][] = [
      [{ keys: ['OK', 'A\u0000B'] }, 'keys[1]', `keys[1] cannot contain the following 'U+0000'`],
      [{ keys: ['A\uD800B'] }, 'keys[0]', `keys[0] ${untypable}`],
      [{ keys: ['A\nB'] }, 'keys[0]', `keys[0] ${untypable}`],
      [{ keys: ['A\u2028B'] }, 'keys[0]', `keys[0] ${untypable}`],
      [{ keys: ['  '] }, 'keys[0]', 'keys[0] is blank'],
      [{ keys: ['x'.repeat(201)] }, 'keys[0]', 'keys[0] must be a maximum of 200 characters in length'],
      [{ keys: [] }, 'keys', 'keys must contain at least 1 items'],
      [{ keys: Array(5001).fill('x') }, 'keys', 'keys must contain at maximum 5000 items'],
      [{}, 'keys', 'keys or a file is required, not both'],
      [txt('A\n\n\u0000B'), 'file', `file line 3 ${untypable}`],
      ...['A\u200bB', 'A\u00adB', 'A\u202eB', 'A\u2060', '\ud800A', 'A\u{e0041}'].map(
        (key): [object, string, string] => [{ keys: [key] }, 'keys[0]', `keys[0] ${untypable}`],
      ),
      [txt(`A\n${'x'.repeat(201)}`), 'file', 'file line 2 must be a maximum of 200 characters in length'],
      [txt(' \n\r\n'), 'file', 'file has no keys'],
      [
        txt(Array.from({ length: 5001 }, (_, at) => `K${at}`).join('\n')),
        'file',
        'file must contain at maximum 5000 keys',
      ],
      [txt(Buffer.from([0x41, 0xff, 0xfe])), 'file', 'file must be a text in UTF-8'],
    ];
    for (const [body, field, message] of cases) {
      const answer = await add(shop, body);
      const named = field.replace(/\[(\d+)\]/, '.$1');
      expect(answer).toEqual({ ...invalid(named, message), status: 422 });
    }
    expect(await shop.keys()).toEqual([]);
  });

  it('come 5,000 at a time with 200 characters of three bytes each, in one request, also when two bring the same', async () => {
    const shop = await digitalShop(commerce, { keys: [] });
    const keys = Array.from({ length: 5_000 }, (_, at) => `${at}`.padStart(5, '0') + '字'.repeat(195));
    expect(await add(shop, { keys })).toEqual(added(5_000, 0));
    const other = await digitalShop(commerce, { keys: [] });
    const both = await Promise.all([add(other, { keys }), add(other, txt(keys.toReversed().join('\r\n')))]);
    const counts = both.map(({ body }) => body.data as unknown as { added: number; duplicates: number });
    expect(counts.map((each) => each.added + each.duplicates)).toEqual([5_000, 5_000]);
    expect(counts.reduce((sum, each) => sum + each.added, 0)).toBe(5_000);
  });

  it('are the same key in another product, and sealed in both', async () => {
    const [one, other] = [await digitalShop(commerce, { keys: [] }), await digitalShop(commerce, { keys: [] })];
    const KEY = 'CANARY-KEY-4711';
    expect([await add(one, { keys: [KEY] }), await add(other, { keys: [KEY] })]).toEqual([added(1, 0), added(1, 0)]);
    const rows = await commerce.database.query<{ row: string; key_hash: string }>(
      'SELECT k::text AS row, key_hash FROM license_key k WHERE store_id = ANY ($1)',
      [[one.storeId, other.storeId]],
    );
    expect(rows.map(({ row }) => row.includes(KEY))).toEqual([false, false]);
    expect(new Set(rows.map(({ key_hash }) => key_hash)).size).toBe(2);
    expect(await auditedIn(commerce, one.storeId)).toContain('digital.write product: keys');
    const told = await commerce.database.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM audit_log WHERE diff::text LIKE $1',
      [`%${KEY}%`],
    );
    expect([told, commerce.lines.filter((line) => line.includes(KEY))]).toEqual([[{ n: 0 }], []]);
  });

  it('tell whose they are, but not to somebody who does not see every customer', async () => {
    const shop = await digitalShop(commerce, { keys: ['AAAA-1111'] });
    const order = (await shop.order()).body.data;
    const [held] = (await shop.ask<LicenseKey[]>('GET', pathOf(shop))).body.data;
    expect(held).toMatchObject({ state: 'held', order: { id: order.id, number: order.number } });
    const { userId, token } = await newMember(commerce, shop.storeId, 'cs');
    const roleId = uuidv7();
    await commerce.database.query(
      `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, 'Gudang', '{digital.write}', $3, $3)`,
      [shop.storeId, roleId, NOW],
    );
    await commerce.database.query(
      'UPDATE membership SET system_role = NULL, role_id = $3 WHERE store_id = $1 AND user_id = $2',
      [shop.storeId, userId, roleId],
    );
    const { body } = await commerce.call('GET', `/api${pathOf(shop)}`, token);
    expect((body as { data: object[] }).data).toEqual([{ ...held, order: null }]);
  });
});

it.each([
  ['', ''],
  ['A', ''],
  ['ABC', 'C'],
  ['ABCDEFG', 'EFG'],
  ['ABCDEFGH', 'EFGH'],
  ['12345678😀', '678😀'],
])('of the key %s no more than half is shown: %s', (key, end) => expect(endOf(key)).toBe(end));

describe('a store with 100,000 keys', () => {
  let shop: DigitalShop;
  beforeAll(async () => {
    shop = await digitalShop(commerce, { keys: [] });
    await fill(
      commerce.database,
      [
        `INSERT INTO license_key (store_id, id, product_id, key_enc, key_hash, last4, created_at, updated_at)
       SELECT $1, uuidv7(), $2, 'sealed', 'hash ' || n, right('000' || n, 4), $3::timestamptz + n * interval '1 ms', $3
       FROM generate_series(1, 100000) n`,
      ],
      [shop.storeId, shop.product.id, NOW],
    );
    await vacuumed(commerce.database, 'license_key');
  });

  it('lists them page by page, all or those of a state, each page by an index and without a sort', async () => {
    for (const state of [undefined, 'free'] as const) {
      const query = { product: shop.product.id, ...(state && { state }) };
      const { rows } = keyListing.statements(shop.storeId, query);
      const plan = await explain(commerce.database, rows.text, rows.values);
      expectNoSeqScan(plan);
      expect(JSON.stringify(plan)).not.toContain('"Sort"');
    }
    const first = await shop.ask<LicenseKey[]>('GET', `${pathOf(shop)}?limit=2`);
    const { next_cursor } = first.body.meta as { next_cursor: string };
    const second = await shop.ask<LicenseKey[]>('GET', `${pathOf(shop)}?limit=2&cursor=${next_cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ key }) => key)).toEqual([
      ...['****0000', '****9999', '****9998', '****9997'],
    ]);
    expect((await shop.ask<object[]>('GET', `${pathOf(shop)}?state=held`)).body.data).toEqual([]);
    expect((await shop.ask('GET', `${pathOf(shop)}?state=sold`)).status).toBe(422);
    expect((await shop.ask('GET', `${pathOf(shop)}?cursor=x`)).status).toBe(422);
  });

  it('finds those that it sells, and how many there are, by the index of the free ones', async () => {
    const order = (await shop.order(2)).body.data;
    for (const [statement, values] of [
      [HOLD, [shop.storeId, order.id, NOW]],
      [`SELECT ${freeKeys('$2')}`, [shop.storeId, shop.product.id]],
    ] as const) {
      const plan = await explain(commerce.database, statement, values);
      expectNoSeqScan(plan, 'license_key');
      expect(JSON.stringify(plan)).toContain('license_key_free');
    }
    await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
  });

  it('sells them and takes them back', async () => {
    const order = (await shop.order(3)).body.data;
    expect(await shop.keys('held')).toHaveLength(3);
    await shop.ask('POST', `/order/${order.id}/cancel`, { reason: 'Batal' });
    expect(await shop.keys('held')).toEqual([]);
  });
});
