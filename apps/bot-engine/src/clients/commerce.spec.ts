import { NotFound, Unavailable } from '@platform/errors';
import { httpClient } from '@platform/http';
import { fixedClock } from '@platform/runtime';
import { startHttpServer, useForEach } from '@platform/testing';
import { noCommerce, httpCommerce } from './commerce';
import { CommerceRefusal, NotAvailable } from './commerce.client';
import { commerceContract } from './commerce.contract';
import { courierContract, courierOrderContract, type CourierSubject } from './commerce.couriers.contract';
import { FAKE_SECRET, fakeProduct, fakeShop, startFakeCommerce } from './commerce.fake';

const product = { sku: 'HAT-0', name: 'Topi', price: 10_000, stock: 50 };
const shipping = { name: 'Kurir toko', cost: 15_000 };
const fake = useForEach(() =>
  startFakeCommerce([
    fakeShop('S1', { products: [fakeProduct({ ...product, description: 'Topi lapangan' })] }),
    fakeShop('S2', { status: 'suspended' }),
  ]),
);
const http = useForEach(() => httpClient('commerce-api', fake.url));
const tokens = { name: 'tokens', for: (_audience: string, store?: string) => Promise.resolve(`token${store ?? ''}`) };
const client = (more: { readonly secret?: string | undefined } = {}) =>
  httpCommerce({ http, tokens, secret: FAKE_SECRET, ...more });
const wanted = {
  ...{ idStore: 'S1', idUser: '6281234567890', items: [{ sku: 'HAT-0', quantity: 1 }] },
  ...{ customer: { name: 'Budi', address: 'Jl. Dago 1', destination: 'Bandung' }, idempotencyKey: 'k' },
};

describe('the fake of commerce-api', () => {
  commerceContract(() => ({
    ...{ client: client(), storeId: 'S1', suspendedStoreId: 'S2', product, shipping },
    pay: async (orderNumber) => {
      const order = fake.orders.all.find((each) => each.orderNumber === orderNumber);
      if (order) Object.assign(order, { status: 'paid', paidAt: '2026-03-01T08:00:00.000Z' });
    },
  }));
});

describe('the fake of commerce-api with couriers', () => {
  const shop = fakeShop('S4', {
    ...{ products: [fakeProduct(product)], methods: [] },
    couriers: [
      { courier: 'jne', service: 'REG', cost: 27_000, etd: '3-4' },
      { courier: 'jne', service: 'YES', cost: 51_000, etd: '2-3' },
      { courier: 'pos', service: 'Pos Reguler', cost: 24_000, etd: '4-5' },
    ],
  });
  beforeEach(() => {
    fake.shops.set('S4', shop);
    fake.parcels = {};
    fake.areas = [
      { id: '50005', label: 'Cikini, Menteng, Jakarta Pusat, DKI Jakarta, 10330' },
      { id: '50006', label: 'Tebet Barat, Tebet, Jakarta Selatan, DKI Jakarta, 12810' },
    ];
  });
  const subject = (): CourierSubject => ({
    ...{ client: client(), storeId: 'S4', product },
    script: async (waybill) => {
      const events = [{ at: '2026-03-01T01:00:00.000Z', text: 'Manifested' }];
      fake.parcels = { [waybill]: { waybill, courier: 'jne', status: 'ON PROCESS', events } };
    },
  });
  courierContract(subject);
  courierOrderContract(subject);
});

describe('a call to commerce-api', () => {
  it('for a store carries a token without a store, and the store beside it', async () => {
    await client().store('S1');
    expect(fake.seen.map(({ headers }) => [headers.authorization, headers['x-store-id']])).toEqual([
      ['Bearer token', 'S1'],
    ]);
  });

  it('about orders is signed as the design says: its vectors', async () => {
    const seen: [string | undefined, unknown][] = [];
    const server = await startHttpServer((request, response) => {
      seen.push([request.url, request.headers['x-signature']]);
      response.end('{}');
    });
    const clock = fixedClock(new Date(1_795_157_100_000));
    const there = httpClient('commerce-api', server.url);
    const signed = () => httpCommerce({ http: there, tokens, secret: 'test-secret, the next one', clock });
    await signed()
      .orderStatus('S1', 'INV-261120-ABC234')
      .catch(() => undefined);
    await signed()
      .dryRun({ idStore: '7' } as never)
      .catch(() => undefined);
    await there.stop?.();
    await server.stop();
    expect(seen).toEqual([
      [
        '/api/payment/engine-bot/check-status/INV-261120-ABC234',
        '756c1590aea6f223c8ac045c439b23fb9877dee6515fe47e0064e841ab0af534',
      ],
      ['/api/payment/engine-bot/create-checkout', 'f7d667dac236fe923cc0a8240980efc64678c03c41e68c650271d9e615c81c0d'],
    ]);
  });

  it('about orders is signed afresh when its connection ends, and six minutes late it is refused', async () => {
    fake.moods.push({ does: 'cut' });
    await expect(client().orderStatus('S1', 'INV-1')).rejects.toBeInstanceOf(Unavailable);
    const stamps = fake.seen.map(({ headers }) => [headers['x-timestamp'], headers['x-signature']].join());
    expect([stamps.length, new Set(stamps).size]).toEqual([2, 2]);
    fake.moods.length = 0;
    const late = fixedClock(new Date(Date.now() - 360_000));
    const old = httpCommerce({ http, tokens, secret: FAKE_SECRET, clock: late });
    await expect(old.createCheckout(wanted)).rejects.toBeInstanceOf(Unavailable);
    expect(fake.orders.all).toEqual([]);
  });

  it('is signed again when another process has signed the same call in the same millisecond', async () => {
    const clock = fixedClock(new Date());
    const [one, other] = [1, 2].map(() => httpCommerce({ http, tokens, secret: FAKE_SECRET, clock }));
    await one?.createCheckout(wanted);
    const orders = await Promise.all([one, other].map((each) => each?.orderStatus('S1', 'INV-261120-000001')));
    expect(orders.map((order) => order?.status)).toEqual(['pending', 'pending']);
  });

  it.each(['hang', 'cut', 500, 503, 429] as const)('that ends with %s is for later', async (does) => {
    fake.moods.push({ does });
    const signal = AbortSignal.timeout(300);
    const calls = await Promise.allSettled([
      client().productsOf('S1', ['HAT-0'], signal),
      client().dryRun(wanted, signal),
      client().orderStatus('S1', 'INV-1', signal),
    ]);
    for (const call of calls) expect(call).toEqual({ status: 'rejected', reason: expect.any(Unavailable) as unknown });
  });

  it('to a route that is not there says so, and a parcel that is unknown is not found', async () => {
    await expect(client().waybill('S1', 'JNE1')).rejects.toBeInstanceOf(NotAvailable);
    const parcel = { waybill: 'JNE1', courier: 'jne', status: 'sent', history: [] };
    fake.parcels = { JNE1: parcel };
    expect(await client().waybill('S1', 'JNE1', 'jne')).toEqual(parcel);
    await expect(client().waybill('S1', 'JNE2', 'jne')).rejects.toBeInstanceOf(NotFound);
  });

  it('finds places by the search, where there is one', async () => {
    fake.areas = [{ id: 'IDN-3273', label: 'Coblong, Bandung' }];
    const [place] = await client().destinations('S1', 'bandung');
    expect(place).toEqual({ id: 'IDN-3273', label: 'Coblong, Bandung' });
    await client().rates('S1', [{ sku: 'HAT-0', quantity: 1 }], place ?? { id: null, label: '' });
    expect(JSON.parse(fake.seen.at(-1)?.body ?? '')).toEqual({
      ...{ items: [{ sku: 'HAT-0', qty: 1 }], area_id: 'IDN-3273' },
    });
  });

  it('takes a place as it is named while the search cannot tell', async () => {
    for (const does of [502, 504, 429] as const) {
      fake.moods.push({ does, path: '/api/ship_a/search' });
      expect(await client().destinations('S1', 'Bandung')).toEqual([{ id: null, label: 'Bandung' }]);
      fake.moods.length = 0;
    }
  });

  it('of a store whose calls hang leaves the other stores theirs', async () => {
    fake.moods.push({ does: 'hang', store: 'S3' });
    const bot = client();
    const over = new AbortController();
    const hanging = Array.from({ length: 300 }, () => bot.productsOf('S3', ['X'], over.signal).catch(() => 'over'));
    expect(await Promise.all(Array.from({ length: 20 }, () => bot.productsOf('S1', ['HAT-0'])))).toHaveLength(20);
    over.abort();
    expect(new Set(await Promise.all(hanging))).toEqual(new Set(['over']));
    expect(fake.seen.filter(({ store }) => store === 'S3').length).toBeLessThanOrEqual(16);
  });

  it('counts a state of an order that it does not know as pending', async () => {
    const { orderNumber } = await client().createCheckout(wanted);
    const [order] = fake.orders.all;
    if (order) order.status = 'mislaid';
    expect(await client().orderStatus('S1', orderNumber)).toMatchObject({ status: 'pending' });
  });
});

describe('without commerce-api, or without the secret', () => {
  it('nothing can be asked, or ordered', async () => {
    await expect(noCommerce().store('S1')).rejects.toBeInstanceOf(NotAvailable);
    const unsigned = client({ secret: undefined });
    await expect(unsigned.dryRun(wanted)).rejects.toBeInstanceOf(NotAvailable);
    expect(await unsigned.productsOf('S1', ['HAT-0'])).toHaveLength(1);
    await expect(unsigned.productsOf('S2', ['HAT-0'])).rejects.toBeInstanceOf(CommerceRefusal);
  });
});
