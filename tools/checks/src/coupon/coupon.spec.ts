import {
  documentedAnswers,
  explain,
  expectNoSeqScan,
  fuzz,
  FUZZ_CANARY,
  runProgramCommand,
  until,
} from '@platform/testing';
import { startCoupons } from './coupon.fixture';
import { couponListing } from './coupon.sql';

let shop: Awaited<ReturnType<typeof startCoupons>>;
let misfits: ReturnType<typeof documentedAnswers>;
beforeAll(async () => {
  shop = await startCoupons();
  misfits = documentedAnswers(shop.service);
});
afterAll(() => shop.stop());

let stores = 0;
/** A store without coupons. */
const newStore = (): string => `S${(stores += 1)}`;

const call = async (store: string, method: string, path: string, body?: object, headers: object = {}) => {
  const answer = await fetch(`${shop.url}/api/coupon${path}`, {
    method,
    headers: { authorization: `Bearer ${store}`, 'content-type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
  const json = (await answer.json()) as { data: never; meta?: object; code?: string };
  expect(misfits(method, `/api/coupon${path.split('?')[0]}`, answer.status, json)).toEqual([]);
  return { status: answer.status, body: json };
};
const create = async (
  store: string,
  code: string,
  value = 1_000,
  more: object = {},
): Promise<{ readonly id: string }> => (await call(store, 'POST', '', { code, value, ...more })).body.data;
const codes = async (store: string, query: string) =>
  ((await call(store, 'GET', `?${query}`)).body.data as { code: string }[]).map(({ code }) => code);
const file = async (store: string, query = '') =>
  fetch(`${shop.url}/api/coupon/export?${query}`, { headers: { authorization: `Bearer ${store}` } });
const audit = (store: string) =>
  shop.database.query('SELECT action, subject_id, diff, actor_name FROM audit_log WHERE tenant_id = $1 ORDER BY id', [
    store,
  ]);

const view = (more: object) => ({
  id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  value: 1_000,
  status: 'active',
  used: 0,
  usage_limit: null,
  created_at: expect.stringMatching(/Z$/),
  ...more,
});

it('a coupon is created, read, changed and deleted, and every write is in the audit log', async () => {
  const store = newStore();
  const created = await call(store, 'POST', '', { code: 'NEW', value: 1_000 });
  const { id } = created.body.data as { id: string };
  const answers = [
    created,
    await call(store, 'GET', `/${id}`),
    await call(store, 'PUT', `/${id}`, { status: 'paused' }),
    await call(store, 'DELETE', `/${id}`),
    await call(store, 'GET', `/${id}`),
  ];
  const success = (status: number, message: string, data: object | null) => ({
    status,
    body: { status: 'success', message, data },
  });
  expect(answers).toEqual([
    success(201, 'Coupon created', view({ code: 'NEW' })),
    success(200, 'OK', view({ code: 'NEW', id })),
    success(200, 'Coupon updated', view({ code: 'NEW', id, status: 'paused' })),
    success(200, 'Coupon deleted', null),
    { status: 404, body: { status: 'error', message: 'Coupon not found', code: 'not_found' } },
  ]);
  const entries = (await audit(store)) as { diff: Record<string, object> }[];
  expect(entries.map(({ diff }) => diff.status)).toEqual([
    { to: 'active' },
    { from: 'active', to: 'paused' },
    { from: 'paused' },
  ]);
  expect(entries[1]).toEqual({
    action: 'coupon.write',
    subject_id: id,
    actor_name: 'Rina',
    diff: { status: { from: 'active', to: 'paused' } },
  });
});

it('a taken code is a 409 and leaves no audit entry', async () => {
  const store = newStore();
  await create(store, 'SAME');
  expect(await call(store, 'POST', '', { code: 'SAME', value: 5 })).toEqual({
    status: 409,
    body: { status: 'error', message: 'The code is taken', code: 'code_taken' },
  });
  expect(await audit(store)).toHaveLength(1);
});

describe('the list of coupons', () => {
  let store: string;
  beforeAll(async () => {
    store = newStore();
    for (const [code, value] of [
      ['AAA', 3],
      ['BBB_1', 2],
      ['CCC', 1],
    ] as const)
      await create(store, code, value);
  });

  it.each([
    ['', ['CCC', 'BBB_1', 'AAA']],
    ['sort=value', ['CCC', 'BBB_1', 'AAA']],
    ['sort=-code&per_page=2', ['CCC', 'BBB_1']],
    ['sort=-code&per_page=2&page=2', ['AAA']],
    ['value_min=2', ['BBB_1', 'AAA']],
    ['q=_', ['BBB_1']],
    ['q=%25', []],
    ['q=b%201', ['BBB_1']],
    ['status=paused', []],
  ])('of ?%s holds %j', async (query, expected) => expect(await codes(store, query)).toEqual(expected));

  it('reports the position of a page in `meta`', async () =>
    expect((await call(store, 'GET', '?per_page=2&page=2')).body.meta).toEqual({
      ...{ current_page: 2, per_page: 2, total: 3, last_page: 2, from: 3, to: 3 },
    }));

  it('is served by indexes', async () => {
    for (const { text, values } of Object.values(couponListing.statements('S1', {})))
      expectNoSeqScan(await explain(shop.database, text, values));
  });
});

/** V8 collects soon: else the process grows by what is garbage already, more with every version of Node. */
const TIDY = '--max-semi-space-size=1 --max-old-space-size=128';

describe('the CSV file of coupons', () => {
  it('has all rows of the filter, whatever the page size', async () => {
    const store = newStore();
    for (const code of ['X-1', 'X-2', 'Y-1']) await create(store, code, 5);
    const answer = await file(store, 'q=x&per_page=1&sort=code');
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
      'attachment; filename="coupons.csv"',
    ]);
    const time = String.raw`\d{4}-\d\d-\d\dT[\d:.]+Z`;
    expect(await answer.text()).toMatch(
      new RegExp(`^Code,Value,Status,Used,Created\r\nX-1,5,active,0,${time}\r\nX-2,5,active,0,${time}\r\n$`),
    );
  });

  it('releases its connection when the caller goes away', async () => {
    const store = newStore();
    await fill(store, 100_000);
    const gone = new AbortController();
    const answer = await fetch(`${shop.url}/api/coupon/export`, {
      headers: { authorization: `Bearer ${store}` },
      signal: gone.signal,
    });
    const { value } = (await answer.body?.getReader().read()) ?? {};
    expect(value?.length).toBeGreaterThan(0);
    gone.abort();
    const open = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'shop streams' AND state <> 'idle'`;
    await until(async () => (await shop.database.query(open)).length === 0);
  });

  it('of 75 MB grows the process by less than half of that: nobody holds it whole', async () => {
    const store = newStore();
    await fill(store, 50_000, 1_500);
    const env = { DATABASE_URL: shop.database.url, STORE: store, NODE_OPTIONS: TIDY };
    const { output } = await runProgramCommand({ main: 'tools/checks/src/coupon/coupon.child.ts', env });
    const written = JSON.parse(output.trim().split('\n').at(-1) ?? '{}') as {
      lines: number;
      size: number;
      grown: number;
    };
    expect(written).toMatchObject({ lines: 50_001, size: expect.closeTo(75, -1) });
    expect(written.grown).toBeLessThan(written.size / 2);
  });
});

/** In portions, each of which a busy machine can do before its statement is cancelled. */
const PORTION = 5_000;
const fill = async (store: string, count: number, width = 0) => {
  for (let done = 0; done < count; done += PORTION)
    await shop.database.query(
      `INSERT INTO coupon (store_id, id, code, value, created_at)
       SELECT $1, gen_random_uuid(), 'CODE-' || n || repeat('x', $4::int), n, now() FROM generate_series($2::int, $3::int) n`,
      [store, done + 1, Math.min(done + PORTION, count), width],
    );
};

describe('a redemption of a coupon', () => {
  const redeem = (store: string, id: string, key: string) =>
    call(store, 'POST', `/${id}/redeem`, undefined, { 'idempotency-key': key });

  it('counts once per key, however often and concurrently it is repeated, and stops at the limit', async () => {
    const store = newStore();
    const { id } = await create(store, 'ONCE', 1_000, { usage_limit: 2 });
    const first = await redeem(store, id, 'k1');
    const again = await Promise.all(Array.from({ length: 5 }, () => redeem(store, id, 'k1')));
    const others = await Promise.all(['k2', 'k3', 'k4'].map((key) => redeem(store, id, key)));
    expect(first).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'Coupon redeemed',
        data: view({ id, code: 'ONCE', used: 1, usage_limit: 2 }),
      },
    });
    expect(again).toEqual(Array(5).fill(first));
    expect(others.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(await audit(store)).toHaveLength(3);
  });

  it('is refused without an Idempotency-Key', async () => {
    const store = newStore();
    const { id } = await create(store, 'KEY');
    expect((await call(store, 'POST', `/${id}/redeem`)).body.code).toBe('idempotency_key_required');
  });
});

it('another store can neither see nor change nor redeem a coupon', async () => {
  const [store, other] = [newStore(), newStore()];
  const { id } = await create(store, 'MINE');
  const asked = [
    call(other, 'GET', `/${id}`),
    call(other, 'PUT', `/${id}`, { value: 1 }),
    call(other, 'DELETE', `/${id}`),
    call(other, 'POST', `/${id}/redeem`, undefined, { 'idempotency-key': 'k' }),
  ];
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(await codes(other, '')).toEqual([]);
  expect(await (await file(other)).text()).toBe('Code,Value,Status,Used,Created\r\n');
  expect(await codes(store, '')).toEqual(['MINE']);
});

it('a thousand almost valid requests are answered, none with 5xx', async () => {
  const { id } = await create(newStore(), 'FUZZ');
  const { broken, statuses } = await fuzz({
    url: shop.url,
    service: shop.service,
    seed: 9,
    requests: 1_000,
    prepare: () =>
      Promise.resolve({
        tokens: [`S${stores}`],
        service: 'S0',
        texts: ['FUZZ', FUZZ_CANARY, '%'],
        fields: { id: [id] },
      }),
  });
  expect(broken).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 401, 404, 422]));
});
