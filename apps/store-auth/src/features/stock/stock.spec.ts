import { useRunning } from '@platform/testing';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { bearer, brief, startApp, useApp } from '../../app.fixture';
import { startFakeCommerce } from '../../clients/commerce.fake';

const AGAIN = { status: 'error', message: 'terjadi kesalahan, coba lagi' };
const shoe = { product_id: 'P1', variant_id: 'V1', sku: 'SEPATU-42', stock: 7 };
const shirt = { product_id: 'P2', variant_id: 'V2', sku: 'KAOS-M', stock: 1 };
const commerce = useRunning(() => startFakeCommerce({ S1: [shoe, shirt], S2: [] }));
const { app, database } = useApp(() => ({ environment: { COMMERCE_URL: commerce.url } }));
let user: Record<string, string>;

beforeAll(async () => {
  user = bearer((await app.login()).token);
});
beforeEach(() => {
  commerce.questions.length = 0;
  commerce.state.mood = 'answer';
});

const ask = (body: object, headers = user) => app.post('/api/product/check_stock_products', body, headers);
const one = { products: [{ sku: 'KAOS-M', qty: 1 }] };

describe('check_stock_products', () => {
  it('answers in the order of the lines, sums lines of one variant, and has no stock of foreign ids', async () => {
    const products = [
      { sku: 'KAOS-M', qty: 1 },
      { variant_id: 'V1', sku: 'ignored', qty: 4 },
      { product_id: 'P1', qty: 4 },
      { variant_id: 'V9', qty: 1 },
    ];
    expect(brief(await ask({ products, gudang_id: 'G1' }))).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'stok diperiksa',
        data: [
          { product_id: 'P2', variant_id: 'V2', sku: 'KAOS-M', qty: 1, stock: 1, available: true },
          { product_id: 'P1', variant_id: 'V1', sku: 'SEPATU-42', qty: 4, stock: 7, available: false },
          { product_id: 'P1', variant_id: 'V1', sku: 'SEPATU-42', qty: 4, stock: 7, available: false },
          { product_id: null, variant_id: 'V9', sku: null, qty: 1, stock: 0, available: false },
        ],
        all_available: false,
      },
    });
    expect(commerce.questions.map(({ store, body }) => ({ store, body }))).toEqual([
      {
        store: 'S1',
        body: {
          items: [
            { sku: 'KAOS-M', qty: 1 },
            { variant_id: 'V1', qty: 4 },
            { product_id: 'P1', qty: 4 },
            { variant_id: 'V9', qty: 1 },
          ],
          warehouse_id: 'G1',
        },
      },
    ]);
  });

  it("asks commerce-api with the service's own token, for the caller's store and one minute", async () => {
    await ask(one);
    const token = commerce.questions[0]?.authorization?.replace('Bearer ', '') ?? '';
    const claims = decodeJwt(token);
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'service+jwt' });
    expect(claims).toMatchObject({ aud: 'commerce-api', sub: 'svc:store-auth', store_id: 'S1', role: 'service' });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(60);
  });

  it('lets the token decide the tenant, whatever the body says', async () => {
    await ask({ ...one, store_id: 'S2' });
    expect(commerce.questions[0]?.store).toBe('S1');
  });

  it('reads the store from the body only for a service token that has none', async () => {
    const service = bearer(await app.serviceToken('commerce-api'));
    expect((await ask({ ...one, store_id: 'S2' }, service)).body).toMatchObject({ all_available: false });
    expect(brief(await ask(one, service))).toEqual({
      status: 422,
      body: { errors: [{ field: 'store_id', tag: 'required', message: 'store_id is a required field' }] },
    });
    const foreign = bearer(await app.serviceToken('bot-engine', 'chat-backend'));
    const refused = await Promise.all([ask(one, foreign), ask(one, {})]);
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
  });

  it.each([
    [
      Array(101).fill({ sku: 'a', qty: 1 }),
      { field: 'products', tag: 'max', message: 'products must contain at maximum 100 items' },
    ],
    [
      [{ qty: 1 }],
      {
        field: 'products[0].variant_id',
        tag: 'required_without',
        message: 'products[0].variant_id is a required field',
      },
    ],
    [[{ sku: 'a', qty: 0 }], { field: 'products[0].qty', tag: 'min', message: 'products[0].qty must be 1 or greater' }],
    [
      [{ sku: 'a', qty: 10_000 }],
      { field: 'products[0].qty', tag: 'max', message: 'products[0].qty must be 9999 or less' },
    ],
  ])('refuses a body that cannot be asked, case %#', async (products, error) => {
    expect(brief(await ask({ products }))).toEqual({ status: 422, body: { errors: [error] } });
    expect(commerce.questions).toEqual([]);
  });
});

describe('check_stock_products while commerce-api', () => {
  it('is broken or too slow answers 503 with Retry-After, within the time limit', async () => {
    for (const mood of [{ status: 500 }, { status: 503 }, 'hang'] as const) {
      commerce.state.mood = mood;
      const answer = await ask(one);
      expect([brief(answer), answer.headers.get('retry-after')]).toEqual([{ status: 503, body: AGAIN }, '2']);
    }
  });

  it('refuses our token answers 502, and the log says what to check', async () => {
    for (const status of [401, 403]) {
      commerce.state.mood = { status };
      expect(brief(await ask(one))).toEqual({ status: 502, body: AGAIN });
    }
    expect(app.lines.filter((line) => line.includes('commerce-api refuses our service token'))).toHaveLength(2);
  });

  it('is not configured answers 503', async () => {
    const alone = await startApp(database.url);
    const { status } = await alone.post('/api/product/check_stock_products', one, user);
    await alone.stop();
    expect(status).toBe(503);
  });
});
