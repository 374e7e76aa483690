import { InvalidInput } from '@platform/errors';
import { explain, expectNoSeqScan, useDatabase } from '@platform/testing';
import type { Sql } from './database.types';
import { listingOf } from './listing';
import { sortsOf, type ListingDefinition, type Sort } from './listing.types';
import { ForwardMigration } from './migrations';
import { PageCursor } from './page-cursor';

class CreateCoupons1760000000000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE coupon (
      store_id text NOT NULL, id integer NOT NULL, code text NOT NULL, status text NOT NULL, value bigint NOT NULL,
      created_at timestamptz NOT NULL, PRIMARY KEY (store_id, id)
    )`,
    'CREATE INDEX coupon_created ON coupon (store_id, created_at, id)',
    'CREATE TABLE coupon_use (store_id text, id integer, coupon_id integer, amount integer, day date, PRIMARY KEY (store_id, id))',
    'CREATE INDEX coupon_use_coupon ON coupon_use (store_id, coupon_id)',
  ];
}

/** Stands for an endpoint's DTO, without decorators. */
class CouponsQuery {
  sort?: Sort<'created_at' | 'code' | 'uses'>;
  q?: string;
  page?: number;
  per_page?: number;
  cursor?: string;
  limit?: number;
  status?: string;
  ids?: string;
  value_min?: number;
  amount_min?: number;
  day?: string;
  uses_of?: string;
  view?: string;
}

interface Coupon {
  readonly id: number;
  readonly code: string;
}

const uses = (day: string | undefined) =>
  `(SELECT count(*)::int FROM coupon_use u WHERE u.store_id = $1 AND u.coupon_id = c.id${day ? ` AND u.day = ${day}::date` : ''})`;

const definition: ListingDefinition<CouponsQuery, 'amount_min' | 'day', Coupon, string> = {
  from: 'coupon c',
  tenant: 'c.store_id',
  select: ({ uses_of }) => `c.id, c.code, ${uses(uses_of)} AS uses`,
  only: `c.status <> 'archived'`,
  sort: { created_at: 'c.created_at', code: 'c.code', uses: ({ uses_of }) => uses(uses_of) },
  usualSort: '-created_at',
  tie: 'c.id',
  words: [
    'c.code',
    'c.status',
    'EXISTS (SELECT FROM coupon_use x WHERE x.store_id = $1 AND x.coupon_id = c.id AND x.amount::text ILIKE ?)',
  ],
  where: {
    status: 'c.status = ?',
    value_min: (parameter) => `c.value >= ${parameter}`,
    ids: { sql: 'c.id = ANY (?::int[])', value: (ids) => ids.split(',').map(Number) },
    uses_of: '?::date IS NOT NULL',
    view: false,
  },
  some: {
    from: 'FROM coupon_use u WHERE u.store_id = $1 AND u.coupon_id = c.id',
    where: { amount_min: 'u.amount >= ?', day: 'u.day = ?::date' },
  },
  read: ({ id, code }) => `${code} ${id}`,
};
const coupons = listingOf(CouponsQuery, definition);

/** Without optional parts, sorted ascending. */
class PlainQuery {
  page?: number;
  per_page?: number;
  cursor?: string;
  limit?: number;
}
const plain = listingOf<PlainQuery, never, Coupon>(PlainQuery, {
  from: 'coupon c',
  tenant: 'c.store_id',
  select: 'c.id, c.code',
  sort: { code: 'c.code' },
  usualSort: 'code',
  tie: 'c.id',
  where: {},
  most: 3,
});

const secret = new PageCursor('a secret');
const db = useDatabase({ schema: 'shop', migrations: [CreateCoupons1760000000000] });

beforeAll(async () => {
  // Nine coupons in two stores; only three instants, so that ties matter
  await db.query(`
    INSERT INTO coupon SELECT store, n, 'CODE-' || n, CASE n % 3 WHEN 0 THEN 'paused' ELSE 'active' END, n * 100,
      timestamptz '2026-01-01' + n % 3 * interval '1 microsecond'
    FROM unnest(ARRAY['S1', 'S2']) store, generate_series(1, 9) n;
    INSERT INTO coupon VALUES ('S1', 10, 'OLD', 'archived', 5, now()), ('S2', 11, '100%_\\', 'active', 5, now());
    INSERT INTO coupon_use VALUES ('S1', 1, 1, 50, '2026-01-01'), ('S1', 2, 1, 10, '2026-01-02'), ('S1', 3, 2, 60, '2026-01-02')`);
});

const listed = async (query: CouponsQuery, store = 'S1') => (await coupons.page(db, store, query)).rows;
const refusal = (field: string, tag: string, message: string) => new InvalidInput([{ field, tag, message }]);

describe('a page by number', () => {
  it('a page holds rows in the default order, ties by id, and counts all of them', async () =>
    expect(await coupons.page(db, 'S1', { per_page: 4 })).toEqual({
      rows: ['CODE-8 8', 'CODE-5 5', 'CODE-2 2', 'CODE-7 7'],
      total: 9,
      page: 1,
      perPage: 4,
    }));

  it.each([
    [3, ['CODE-3 3'], 9],
    [4, [], 9],
  ])('page %i of four rows each holds %j of %i', async (page, rows, total) =>
    expect(await coupons.page(db, 'S1', { per_page: 4, page })).toEqual({ rows, total, page, perPage: 4 }),
  );

  it.each<[string, CouponsQuery, string[]]>([
    ['a sort', { sort: '-code', value_min: 800 }, ['CODE-9 9', 'CODE-8 8']],
    [
      'a sort by what another field changes',
      { sort: '-uses', uses_of: '2026-01-02', value_min: 1, per_page: 2 },
      ['CODE-2 2', 'CODE-1 1'],
    ],
    ['a status', { status: 'paused', sort: 'code' }, ['CODE-3 3', 'CODE-6 6', 'CODE-9 9']],
    ['a value that is read before it is asked', { ids: '4,5,77', sort: 'code' }, ['CODE-4 4', 'CODE-5 5']],
    ['a related row', { amount_min: 50, sort: 'code' }, ['CODE-1 1', 'CODE-2 2']],
    ['one related row that fulfils two fields', { amount_min: 50, day: '2026-01-02' }, ['CODE-2 2']],
    ['words, each in any column and case', { q: ' code-3  PAUSED ' }, ['CODE-3 3']],
    ['a word that a condition looks for', { q: '60' }, ['CODE-2 2']],
    ['eight words, and no ninth', { q: 'c o d e - 3 paused code-3 nowhere' }, ['CODE-3 3']],
    ['words that are no text, as if they were not there', { q: 7 as never, ids: '1' }, ['CODE-1 1']],
    ['a field that filters nothing', { view: 'small', ids: '1' }, ['CODE-1 1']],
    ['a field of null, as if it were not there', { status: null as never, ids: '1' }, ['CODE-1 1']],
  ])('a page can be filtered or sorted by %s', async (_, query, expected) =>
    expect(await listed(query)).toEqual(expected),
  );

  it('a page of a list without filters, search and row mapping is read as it is', async () => {
    const odd = { q: 'CODE-1', status: 'paused' } as object;
    expect(await plain.page(db, 'S1', { per_page: 2, page: 5, ...odd })).toEqual({
      rows: [
        { id: 9, code: 'CODE-9' },
        { id: 10, code: 'OLD' },
      ],
      total: 10,
      page: 5,
      perPage: 2,
    });
    const tooLarge = refusal('per_page', 'max', 'per_page must be an integer from 1 to 3');
    await expect(plain.page(db, 'S1', { per_page: 4 })).rejects.toMatchObject({ violations: tooLarge.violations });
  });

  it('a search matches % _ and \\ in a word literally', async () => {
    const found = await Promise.all(['%', '_', '\\', '0%_\\', '%%'].map((q) => listed({ q }, 'S2')));
    expect(found).toEqual([...Array(4).fill(['100%_\\ 11']), []]);
  });

  const pages = refusal('page', 'max', 'page must be an integer from 1 to 1000000');
  const sizes = refusal('per_page', 'max', 'per_page must be an integer from 1 to 100');
  const sorts = refusal('sort', 'oneof', 'sort must be one of [created_at code uses], with - for descending');
  it.each<[string, object, InvalidInput]>([
    ['no page', { page: 0 }, pages],
    ['half a page', { page: 1.5 }, pages],
    ['a page too large', { per_page: 101 }, sizes],
    ['a page of SQL', { per_page: '1; DROP TABLE coupon' }, sizes],
    ['a column nobody offers', { sort: 'value' }, sorts],
    ['a member of every object', { sort: 'constructor' }, sorts],
    ['two signs', { sort: '--code' }, sorts],
  ])('refuses %s', async (_, query, expected) => {
    const failure = await coupons.page(db, 'S1', query).catch((thrown: unknown) => thrown);
    expect(failure).toEqual(expected);
    expect(failure).toMatchObject({ violations: expected.violations });
  });
});

describe('a feed', () => {
  const walk = async (query: CouponsQuery): Promise<string[][]> => {
    const pages: string[][] = [];
    for (let cursor: string | undefined | null; cursor !== null;) {
      const { rows, nextCursor } = await coupons.feed(db, 'S1', { ...query, cursor }, secret);
      pages.push(rows);
      cursor = nextCursor;
    }
    return pages;
  };

  it('a feed shows every row once, page after page, although instants are equal or differ by microseconds', async () =>
    expect(await walk({ limit: 4 })).toEqual([
      ['CODE-8 8', 'CODE-5 5', 'CODE-2 2', 'CODE-7 7'],
      ['CODE-4 4', 'CODE-1 1', 'CODE-9 9', 'CODE-6 6'],
      ['CODE-3 3'],
    ]));

  it('a feed may be ascending, and has no order but its own', async () => {
    const seen: number[][] = [];
    for (let cursor: string | undefined | null; cursor !== null;) {
      const query = { limit: 3, cursor, sort: '-code' };
      const { rows, nextCursor } = await plain.feed(db, 'S2', query, secret);
      seen.push(rows.map(({ id }) => id));
      cursor = nextCursor;
    }
    expect(seen).toEqual([[11, 1, 2], [3, 4, 5], [6, 7, 8], [9]]);
    expect((await plain.feed(db, 'S2', { limit: 1 }, secret)).rows).toEqual([{ id: 11, code: '100%_\\' }]);
    await expect(plain.feed(db, 'S2', { limit: 4 }, secret)).rejects.toMatchObject({
      violations: [{ field: 'limit', tag: 'max', message: 'limit must be an integer from 1 to 3' }],
    });
  });

  it('a feed ends after its last page even when that is full', async () =>
    expect(await walk({ limit: 3, status: 'paused' })).toEqual([['CODE-9 9', 'CODE-6 6', 'CODE-3 3']]));

  it.each<[string, string, CouponsQuery, string]>([
    ['another tenant', 'S2', {}, 'cursor'],
    ['another filter', 'S1', { status: 'paused' }, 'cursor'],
    ['a larger page than there may be', 'S1', { limit: 201 }, 'limit'],
  ])('refuses a cursor for %s', async (_, store, query, field) => {
    const { nextCursor } = await coupons.feed(db, 'S1', { limit: 2 }, secret);
    const asked = coupons.feed(db, store, { limit: 2, ...query, cursor: nextCursor ?? '' }, secret);
    await expect(asked).rejects.toMatchObject({ violations: [{ field }] });
  });
});

it('a stream holds every filtered row in order, whatever the page size', async () => {
  const rows: string[] = [];
  for await (const row of coupons.stream(db, 'S1', { sort: 'code', per_page: 1, page: 3, value_min: 500 }))
    rows.push(row);
  expect(rows).toEqual(['CODE-5 5', 'CODE-6 6', 'CODE-7 7', 'CODE-8 8', 'CODE-9 9']);
});

describe('statements of a listing', () => {
  it('a statement has one name for one text, whatever the values', () => {
    const of = (query: CouponsQuery, store = 'S1') => coupons.statements(store, query).rows;
    const [first, same, other] = [of({ status: 'x' }), of({ status: 'y', page: 7 }, 'S2'), of({ q: 'x' })];
    expect([first.name, first.text]).toEqual([same.name, same.text]);
    expect(other.name).not.toBe(first.name);
    expect(first.name).toMatch(/^listing [0-9a-f]{24}$/);
  });

  it('both directions of every column are sorts', () =>
    expect(sortsOf(['created_at', 'code'])).toEqual(['created_at', '-created_at', 'code', '-code']));

  it('the values of a statement are tenant, filters, search words and position', () =>
    expect(coupons.statements('S1', { q: ' a  b ', ids: '4,5', page: 3, per_page: 10 }).rows.values).toEqual([
      ...['S1', [4, 5], '%a%', '%b%'],
      ...[10, 20],
    ]));

  it('a page that is not full gives the total without a count; an empty later page is counted by a statement', async () => {
    const asked: string[] = [];
    let rows: object[] = [];
    const answer = (text: string) => (
      asked.push(text),
      Promise.resolve(text.startsWith('SELECT count') ? [{ total: 9 }] : rows)
    );
    const sql = { query: answer, prepared: (_: string, text: string) => answer(text) } as unknown as Sql;
    expect((await coupons.page(sql, 'S1', {})).total).toBe(0);
    expect(asked).toHaveLength(1);
    expect((await coupons.page(sql, 'S1', { page: 2 })).total).toBe(9);
    expect(asked).toHaveLength(3);
    rows = [{ id: 1, code: 'a' }];
    expect((await coupons.page(sql, 'S1', { page: 2, per_page: 2 })).total).toBe(3);
    expect(asked).toHaveLength(4);
  });

  it('a condition that is to be weighed and words are planned for their values and the tenant each time, alone or beside others', () => {
    const where = { ...definition.where, ids: { ...(definition.where.ids as object), weighed: true } } as const;
    const own = listingOf(CouponsQuery, { ...definition, where } as typeof definition);
    const named = (query: CouponsQuery) =>
      Object.values(own.statements('S1', query)).map(({ name }) => name !== undefined);
    expect(named({ status: 'active' })).toEqual([true, true, true]);
    expect(named({ ids: '1,2' })).toEqual([false, false, false]);
    expect(named({ ids: '1,2', status: 'active' })).toEqual([false, false, false]);
    expect(named({ q: 'code' })).toEqual([false, false, false]);
  });

  it('forms beyond the 96 prepared ones are unnamed and answer all the same', async () => {
    const own = listingOf(CouponsQuery, { ...definition, numbers: 'c.code' });
    // Of words there are more forms than are kept
    for (const n of Array(256).keys())
      own.statements('S1', {
        q: [...n.toString(2).padStart(8, '0')].map((bit) => (bit === '1' ? 1234 : 'x')).join(' '),
      });
    const fields = {
      status: 'active',
      ids: '1,2',
      value_min: 1,
      amount_min: 1,
      day: '2026-01-02',
      uses_of: '2026-01-02',
      q: 'code',
    };
    const names = new Set<string | undefined>();
    for (let mask = 0; mask < 2 ** 7; mask += 1) {
      const asked = Object.entries(fields).filter((_, bit) => mask & (1 << bit));
      names.add(own.statements('S1', Object.fromEntries(asked)).rows.name);
    }
    // 32 pages, each with and without the total, and their counts
    expect([names.size, names.has(undefined)]).toEqual([33, true]);
    const sent: string[] = [];
    const sql = {
      query: (...asked: Parameters<Sql['query']>) => (sent.push('parsed'), db.query(...asked)),
      prepared: (...asked: Parameters<Sql['prepared']>) => (sent.push('prepared'), db.prepared(...asked)),
    } as Sql;
    expect((await own.page(sql, 'S1', fields)).rows).toEqual(['CODE-2 2', 'CODE-1 1']);
    expect((await own.page(sql, 'S1', { status: 'paused', ids: '3' })).rows).toEqual(['CODE-3 3']);
    expect(sent).toEqual(['parsed', 'prepared']);
  });

  it.each<[string, CouponsQuery]>([
    ['the usual page', {}],
    ['a page by related rows', { amount_min: 5 }],
  ])('of %s are served by indexes', async (_, query) => {
    for (const { text, values } of Object.values(coupons.statements('S1', query)))
      expectNoSeqScan(await explain(db, text, values));
  });
});

describe('hostile values in a listing', () => {
  const parts = [
    "'",
    '"',
    ';',
    '--',
    '$1',
    '$9',
    '?',
    '/*',
    '\\',
    '%',
    '_',
    ' OR 1=1',
    'S2',
    ') UNION SELECT',
    '\ud800',
    '😀',
    'code',
  ];
  const random = (seed: number) => () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;

  it('hostile values in any field never show a row of another tenant, change a statement or fail', async () => {
    const next = random(20_260_301);
    const text = () =>
      Array.from({ length: 1 + Math.floor(next() * 5) }, () => parts[Math.floor(next() * parts.length)]).join('');
    const known = new Set<string>();
    for (let round = 0; round < 300; round += 1) {
      const query = { q: text(), status: text(), [text()]: text(), __proto__: { view: text() } } as CouponsQuery;
      const statement = coupons.statements('S1', query).rows;
      for (const part of [query.status, query.q]) expect(statement.text.includes(`'${part}'`)).toBe(false);
      known.add(statement.text);
      expect(await listed(query)).toEqual([]);
    }
    // One text per number of words
    expect(known.size).toBeLessThanOrEqual(8);
    expect(await listed({ per_page: 100 })).toHaveLength(9);
  });

  it.each<[string, unknown]>([
    ...['q', 'status', 'uses_of', 'amount_min', 'ids'].map((field): [string, string] => [field, 'co\0de']),
    ['status', ['paused', 'co\0de']],
  ])('U+0000 in %s is refused as in any text', async (field, value) => {
    const query = { [field]: value };
    const violations = [{ field, tag: 'excludesrune', message: `${field} cannot contain the following 'U+0000'` }];
    await expect(coupons.page(db, 'S1', query)).rejects.toMatchObject({ violations });
    await expect(coupons.feed(db, 'S1', query, secret)).rejects.toMatchObject({ violations });
    await expect(coupons.stream(db, 'S1', query).next()).rejects.toMatchObject({ violations });
  });

  it('half of a surrogate pair is compared as it would be stored', async () => {
    await db.query(`INSERT INTO coupon VALUES ('S3', 1, 'half \uFFFD', 'odd\uFFFD', 5, now())`);
    for (const query of [{ q: '\ud800' }, { status: 'odd\udc00' }])
      expect(await listed(query, 'S3')).toEqual(['half \uFFFD 1']);
    expect(coupons.statements('S3', { q: '\ud800', status: '\udc00' }).rows.values.slice(0, 3)).toEqual([
      'S3',
      '\uFFFD',
      '%\uFFFD%',
    ]);
  });

  it.each([[7], [['a.b']], [{}], ['%00'], ['\0'], ['a.b'], [null, 'no refusal: as if it were not there']])(
    'a cursor of %j is refused',
    async (cursor, but = undefined) => {
      const asked = coupons.feed(db, 'S1', { cursor } as never, secret);
      if (but) expect((await asked).rows).toHaveLength(9);
      else await expect(asked).rejects.toMatchObject({ violations: [{ field: 'cursor', tag: 'cursor' }] });
    },
  );

  it('hostile values as the tenant find nothing', async () => {
    for (const tenant of [`S1' OR 'a' = 'a`, '%', '', 'S1 ', '$1'])
      expect(await coupons.page(db, tenant, {})).toEqual({ rows: [], total: 0, page: 1, perPage: 15 });
  });
});
