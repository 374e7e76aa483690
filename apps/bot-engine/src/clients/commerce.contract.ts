import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { CommerceRefusal, type CheckoutRequest, type CommerceClient } from './commerce.client';

export interface CommerceSubject {
  readonly client: CommerceClient;
  /** An open store with this product, which it sends within Bandung and Cimahi alone for `shipping`, and takes money before. */
  readonly storeId: string;
  readonly suspendedStoreId: string;
  readonly product: { readonly sku: string; readonly name: string; readonly price: number; readonly stock: number };
  readonly shipping: { readonly name: string; readonly cost: number };
  /** The buyer's doing. */
  pay(orderNumber: string): Promise<void>;
}

const text = expect.any(String) as string;
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'it answered',
    (thrown: unknown) => (thrown instanceof CommerceRefusal ? [thrown.code, thrown.details] : thrown),
  );

type SubjectOf = () => CommerceSubject;

const stores = (subjectOf: SubjectOf): void => {
  it('commerce-api shows a store with the AI replies of its plan', async () => {
    const { client, storeId } = subjectOf();
    const store = await client.store(storeId);
    expect(store).toEqual({
      ...{ id: storeId, name: text, currency: 'IDR', timezone: 'Asia/Jakarta', status: 'open', description: '' },
      ...{ phone: store.phone, address: store.address, hours: store.hours },
      ai: { replyLimit: null, periodStart: text, periodEnd: text },
    });
    expect(store.ai && store.ai.periodStart < store.ai.periodEnd).toBe(true);
  });

  it('commerce-api knows no store that there is none of, and says of a suspended one that it is', async () => {
    const { client, suspendedStoreId } = subjectOf();
    await expect(client.store('nowhere')).rejects.toBeInstanceOf(NotFound);
    const suspended = ['store_suspended', {}];
    expect(await failureOf(client.store(suspendedStoreId))).toEqual(suspended);
    expect(await failureOf(client.productsOf(suspendedStoreId, ['X']))).toEqual(suspended);
  });
};

const products = (subjectOf: SubjectOf): void => {
  it('commerce-api lists products by pages, and live rows by their SKUs', async () => {
    const { client, storeId, product } = subjectOf();
    const row = {
      ...product,
      ...{ productId: text, variantId: text, category: text, description: text, image: null, url: text },
      ...{ status: 'active', updatedAt: text },
    };
    const { rows, more } = await client.products(storeId, 1);
    expect([rows.find(({ sku }) => sku === product.sku), more]).toEqual([
      { ...row, description: expect.any(String) as string, url: expect.anything() as string },
      false,
    ]);
    const live = await client.productsOf(storeId, [product.sku, 'NO-SUCH']);
    expect(live).toEqual(rows.filter(({ sku }) => sku === product.sku));
    expect(await client.products(storeId, 9)).toEqual({ rows: [], more: false });
    expect(await client.productsOf('nowhere', [product.sku])).toEqual([]);
  });

  it('commerce-api tells the stock in the order of the request, and sums lines of one product', async () => {
    const { client, storeId, product } = subjectOf();
    const { sku, stock } = product;
    const items = [
      { sku, quantity: 1 },
      { sku: 'NO-SUCH', quantity: 1 },
      { sku, quantity: stock },
    ];
    expect(await client.stock(storeId, items)).toEqual([
      { sku, quantity: 1, stock, available: false },
      { sku: 'NO-SUCH', quantity: 1, stock: 0, available: false },
      { sku, quantity: stock, stock, available: false },
    ]);
    expect(await client.stock(storeId, [{ sku, quantity: stock }])).toEqual([
      { sku, quantity: stock, stock, available: true },
    ]);
  });
};

const shipping = (subjectOf: SubjectOf): void => {
  it('commerce-api tells what it costs to send something to a place that it found, or that the buyer names', async () => {
    const { client, storeId, product, shipping } = subjectOf();
    const items = [{ sku: product.sku, quantity: 1 }];
    const [place] = await client.destinations(storeId, 'Coblong, Bandung');
    const offered = { courier: shipping.name, service: null, price: shipping.cost, estimate: null };
    expect(await client.rates(storeId, items, place ?? { id: null, label: '' })).toEqual([offered]);
    expect(await client.rates(storeId, items, { id: null, label: 'Menteng, Jakarta' })).toEqual([]);
  });
};

const askedOf = ({ storeId, product }: CommerceSubject, change: object = {}): CheckoutRequest => ({
  ...{ idStore: storeId, idUser: '6281234567890', instanceID: 'dev1', idempotencyKey: uuidv7() },
  items: [{ sku: product.sku, quantity: 1 }],
  customer: { name: 'Budi', address: 'Jl. Dago 101', destination: 'Coblong, Bandung' },
  ...change,
});
const dry = ({ idempotencyKey: _key, ...rest }: CheckoutRequest) => rest;
const totalsOf = ({ product: { price: subtotal }, shipping: { cost } }: CommerceSubject) => ({
  ...{ subtotal, discount: 0, shipping: cost, fee: 0, total: subtotal + cost, currency: 'IDR' },
});

const orders = (subjectOf: SubjectOf): void => {
  it('commerce-api says what an order would cost, and takes it once for its key', async () => {
    const { client } = subjectOf();
    const request = askedOf(subjectOf());
    expect(await client.dryRun(dry(request))).toEqual(totalsOf(subjectOf()));
    const made = await client.createCheckout(request);
    const { orderNumber, paymentUrl, expiresAt } = made;
    expect(made).toEqual({
      ...totalsOf(subjectOf()),
      orderNumber,
      paymentUrl: text,
      expiresAt: text,
      status: 'pending',
    });
    expect([orderNumber, paymentUrl, expiresAt]).toEqual([
      expect.stringMatching(/^INV-/),
      expect.stringMatching(/^https?:/),
      expect.stringMatching(/Z$/),
    ]);
    const again = await Promise.all(Array.from({ length: 8 }, () => client.createCheckout(request)));
    expect([...new Set(again.map((order) => order.orderNumber))]).toEqual([orderNumber]);
    expect(await failureOf(client.createCheckout({ ...request, courier: subjectOf().shipping.name }))).toEqual([
      ...['idempotency_mismatch', {}],
    ]);
  });
};

const agreements = (subjectOf: SubjectOf): void => {
  it('commerce-api takes no order at another total than its buyer was told', async () => {
    const { client } = subjectOf();
    const { total } = totalsOf(subjectOf());
    const dearer = { ...askedOf(subjectOf()), expectedTotal: total + 1 };
    expect(await failureOf(client.createCheckout(dearer))).toEqual(['total_changed', {}]);
    expect(await client.createCheckout({ ...dearer, expectedTotal: total })).toMatchObject({ total });
  });

  it('commerce-api tells how an order stands, also twice in one instant', async () => {
    const { client, pay, storeId } = subjectOf();
    const { orderNumber } = await client.createCheckout(askedOf(subjectOf()));
    const standing = { orderNumber, status: 'pending', total: totalsOf(subjectOf()).total, currency: 'IDR' };
    const open = { ...standing, paidAt: null, waybill: null };
    expect(await Promise.all(Array.from({ length: 8 }, () => client.orderStatus(storeId, orderNumber)))).toEqual(
      Array.from({ length: 8 }, () => open),
    );
    await pay(orderNumber);
    expect(await client.orderStatus(storeId, orderNumber)).toEqual({ ...open, status: 'paid', paidAt: text });
    await expect(client.orderStatus(storeId, 'INV-261120-NOSUCH')).rejects.toBeInstanceOf(NotFound);
  });
};

const refusals = (subjectOf: SubjectOf): void => {
  it('commerce-api refuses an order with a code, the fields and the places that it sends to', async () => {
    const { client, product } = subjectOf();
    const refused = (change: object) => failureOf(client.dryRun(dry(askedOf(subjectOf(), change))));
    expect(await refused({ items: [{ sku: product.sku, quantity: 900 }] })).toEqual(['out_of_stock', {}]);
    expect(await refused({ coupon: 'NO-SUCH' })).toEqual(['coupon_unavailable', {}]);
    expect(await refused({ items: [{ sku: 'NO-SUCH', quantity: 1 }] })).toEqual([
      ...['validation', { errors: { 'items.0.sku': [expect.stringContaining('is not on sale in this store')] } }],
    ]);
    const customer = { name: 'Budi', address: 'Jl. Sudirman 1', destination: 'Menteng, Jakarta' };
    const errors = { 'customer.destination': ['customer.destination is no place that this store sends to'] };
    expect(await refused({ customer })).toEqual(['validation', { errors, places: ['Bandung', 'Cimahi'] }]);
    const phone = { errors: { idUser: ['idUser must be a valid E.164 formatted phone number'] } };
    expect(await refused({ idUser: '1234@lid' })).toEqual(['validation', phone]);
    await expect(client.dryRun(dry(askedOf(subjectOf(), { idStore: 'nowhere' })))).rejects.toBeInstanceOf(NotFound);
    expect(await refused({ idStore: subjectOf().suspendedStoreId })).toEqual(['store_suspended', {}]);
  });
};

/** What this service relies on at commerce-api; runs on the fake and on the service itself. */
export const commerceContract = (subjectOf: SubjectOf): void => {
  stores(subjectOf);
  products(subjectOf);
  shipping(subjectOf);
  orders(subjectOf);
  agreements(subjectOf);
  refusals(subjectOf);
};
