import { expectNoSeqScan, explain } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { invalid, notHere, refused, succeeded } from '../../../asked.fixture';
import { bearer, NOW, useCommerce } from '../../../commerce.fixture';
import { orderShop, type OrderShop } from '../../sales/orders/orders.fixture';
import type { Calculated, Order } from '../../sales/orders/orders.dto';
import type { ShippingMethod } from '../methods/methods.dto';
import { QUOTE } from './quotes.sql';
import { BY_SKU } from '../../sales/carts/by-sku';
import type { RateOption } from './rates.dto';

const TEN_MINUTES_MS = 600_000;
const commerce = useCommerce();
const text = expect.any(String) as string;
const address = { line: 'Jl. Dago 1', district: 'Coblong', city: 'Bandung' };

/** A shop that sends: within Bandung by its own courier, everywhere for cash, and lets buyers fetch. */
const sendingShop = async (): Promise<OrderShop & { readonly methods: readonly ShippingMethod[] }> => {
  const shop = await orderShop(commerce, 50, 50);
  const methods: ShippingMethod[] = [];
  for (const method of [
    { kind: 'flat', name: 'Kurir toko', cost: 15_000, free_over: 100_000, areas: ['bandung'], max_weight_g: 20_000 },
    { kind: 'cod', name: 'Bayar di tempat', cost: 25_000 },
    { kind: 'pickup', name: 'Ambil sendiri' },
    { kind: 'flat', name: 'Lama', cost: 1, active: false },
  ])
    methods.push((await shop.ask<ShippingMethod>('POST', '/shipping/methods', method)).body.data);
  return { ...shop, methods };
};
const rates = async (
  shop: OrderShop,
  quantities: readonly number[],
  more: object = { destination: 'Coblong, Bandung' },
) => {
  const { items } = shop.cart(...quantities);
  return (await shop.ask<RateOption[]>('POST', '/shipping/rates', { items, ...more })).body.data;
};
const named = (options: readonly RateOption[], name: string): { quote_id: string; option: string } => {
  const { quote_id, option } = options.find((each) => each.name === name) as RateOption;
  return { quote_id, option };
};
const place = (shop: OrderShop, quantities: readonly number[], more: object) =>
  shop.ask<Order>('POST', '/order', { ...shop.cart(...quantities), address, ...more });
const expired = refused(
  409,
  'quote_expired',
  'The price of the shipping is not good for this any more: ask for the options again',
);

describe('the ways to send a cart', () => {
  it('are those of the store that go there with so much, the cheapest first, under one quote', async () => {
    const shop = await sendingShop();
    const [flat, cod, pickup] = shop.methods.map(({ id }) => `own:${id}`);
    const own = { quote_id: text, courier: null, service: null, etd_days: null, cod: false };
    const { items } = shop.cart(2);
    const asked = await shop.ask<RateOption[]>('POST', '/shipping/rates', { items, destination: 'coblong,  BANDUNG ' });
    expect(asked).toEqual(
      succeeded(200, 'OK', [
        { ...own, option: pickup, kind: 'pickup', name: 'Ambil sendiri', cost: 0 },
        { ...own, option: flat, kind: 'flat', name: 'Kurir toko', cost: 15_000 },
        { ...own, option: cod, kind: 'cod', name: 'Bayar di tempat', cost: 25_000, cod: true },
      ]),
    );
    expect(new Set(asked.body.data.map(({ quote_id }) => quote_id)).size).toBe(1);
    const names = async (quantities: readonly number[], more?: object) =>
      (await rates(shop, quantities, more)).map(({ name, cost }) => `${name} ${cost}`);
    expect(await names([2], { destination: 'Jakarta' })).toEqual(['Ambil sendiri 0', 'Bayar di tempat 25000']);
    expect(await names([2], { area_id: 'Bandung', cod: true })).toEqual(['Bayar di tempat 25000']);
    expect(await names([5, 5])).toEqual(['Ambil sendiri 0', 'Kurir toko 0', 'Bayar di tempat 25000']);
    expect(await names([15, 6])).toEqual(['Ambil sendiri 0', 'Bayar di tempat 25000']);
  });

  it('are told to the bot for the store that it names, by SKU, and to no service that may not read products', async () => {
    const shop = await sendingShop();
    const asked = { items: [{ sku: 'HAT-0', qty: 1 }], area_id: 'bandung' };
    const ask = (client: string) => {
      const headers = bearer(commerce.storeAuth.serviceToken(client), { 'x-store-id': shop.storeId });
      return commerce.post('/api/shipping/rates', asked, headers);
    };
    const { status, body } = await ask('bot-engine');
    expect([status, (body as { data: RateOption[] }).data.map(({ name }) => name)]).toEqual([
      200,
      ['Ambil sendiri', 'Kurir toko', 'Bayar di tempat'],
    ]);
    expect((await ask('chat-backend')).status).toBe(403);
  });

  it.each([
    ['of nothing', { items: [], area_id: 'x' }, 'items', 'items must contain at least 1 items'],
    ['to nowhere', { items: [{ sku: 'HAT-0', qty: 1 }] }, 'area_id', 'area_id is a required field'],
    [
      'to two places',
      { items: [{ sku: 'HAT-0', qty: 1 }], area_id: 'x', destination: 'y' },
      'destination',
      'destination cannot be given with area_id',
    ],
    [
      'of an unknown SKU',
      { items: [{ sku: 'CAP', qty: 1 }], area_id: 'x' },
      'items.0.sku',
      'items[0].sku is not on sale in this store',
    ],
    [
      'at a price of its own',
      { items: [{ sku: 'HAT-0', qty: 1, price: 1 }], area_id: 'x' },
      'items.0.price',
      'items[0].price is not a known field',
    ],
  ])('are refused for a cart %s', async (_, body, field, message) => {
    const shop = await orderShop(commerce, 5);
    const answer = await shop.ask('POST', '/shipping/rates', body);
    expect(answer.body).toMatchObject({ code: 'validation', errors: { [field]: [message] } });
  });

  it("are not told of another store's variants and warehouses", async () => {
    const [mine, theirs] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    const [warehouse] = (await theirs.ask<{ id: string }[]>('GET', '/warehouse')).body.data;
    const { items } = mine.cart(1);
    expect(await mine.ask('POST', '/shipping/rates', { items, area_id: 'x', warehouse_id: warehouse?.id })).toEqual(
      refused(404, 'not_found', 'Warehouse not found'),
    );
    expect(await mine.ask('POST', '/shipping/rates', { items: theirs.cart(1).items, area_id: 'x' })).toEqual(
      notHere('items[0].variant_id', 'is not on sale in this store'),
    );
  });

  it('are none for what is not sent', async () => {
    const shop = await sendingShop();
    await commerce.database.query(`UPDATE product SET kind = 'digital' WHERE store_id = $1`, [shop.storeId]);
    expect(await rates(shop, [1])).toEqual([]);
  });
});

describe('the shipping of an order', () => {
  it('costs what its quote says, in the calculation as in the order', async () => {
    const shop = await sendingShop();
    const shipping = named(await rates(shop, [2]), 'Kurir toko');
    const { contact: _contact, ...cart } = { ...shop.cart(2), address, shipping };
    const calculated = (await shop.ask<Calculated>('POST', '/order/calculate', cart)).body.data;
    expect(calculated).toMatchObject({ subtotal: 20_000, shipping_total: 15_000, total: 35_000 });
    const { body } = await place(shop, [2], { shipping, expected_total: 35_000 });
    const kept = { kind: 'flat', courier: null, service: 'Kurir toko', etd: null };
    expect(body.data).toMatchObject({ shipping: kept, shipping_total: 15_000, total: 35_000, address });
    expect((await shop.ask<Order>('GET', `/order/${body.data.id}`)).body.data).toEqual(body.data);
  });

  it('keeps its price when the method has changed since, and is refused when ten minutes are over', async () => {
    const shop = await sendingShop();
    const shipping = named(await rates(shop, [2]), 'Kurir toko');
    await shop.ask('PUT', `/shipping/methods/${shop.methods[0]?.id}`, {
      kind: 'flat',
      name: 'Kurir toko',
      cost: 99_000,
    });
    expect((await place(shop, [2], { shipping })).body.data.shipping_total).toBe(15_000);
    commerce.clock.advance(TEN_MINUTES_MS);
    expect(await place(shop, [2], { shipping })).toEqual(expired);
    commerce.clock.advance(-TEN_MINUTES_MS);
    expect(await shop.levels()).toEqual(['50/2', '50/0']);
  });

  it('is refused when its quote is for other goods, another place, another warehouse or another store', async () => {
    const [shop, theirs] = [await sendingShop(), await sendingShop()];
    const shipping = named(await rates(shop, [2]), 'Kurir toko');
    const [warehouse] = (await shop.ask<{ id: string }[]>('GET', '/warehouse')).body.data;
    const foreign = named(await rates(theirs, [2]), 'Kurir toko');
    for (const [quantities, more] of [
      [[3], { shipping }],
      [[2, 1], { shipping }],
      [[2], { shipping, address: { ...address, district: 'Cicendo' } }],
      [[2], { shipping, address: undefined }],
      [[2], { shipping, warehouse_id: warehouse?.id }],
      [[2], { shipping: foreign }],
    ] as const)
      expect(await place(shop, quantities, more)).toEqual(expired);
    expect((await place(shop, [2], { shipping })).status).toBe(201);
  });

  it('is that of a method that is named, at its price of now', async () => {
    const shop = await sendingShop();
    const [flat, cod, , closed] = shop.methods.map(({ id }) => ({ method_id: id }));
    expect((await place(shop, [10], { shipping: flat })).body.data.shipping_total).toBe(0);
    const paidThere = await place(shop, [1], { shipping: cod, payment_method: 'cod' });
    expect(paidThere.body.data).toMatchObject({ shipping_total: 25_000, shipping: { kind: 'cod' } });
    const elsewhere = { line: 'Jl. Sudirman 1', city: 'Jakarta' };
    expect(await place(shop, [1], { shipping: { method_id: uuidv7() } })).toEqual(
      notHere('shipping.method_id', 'is not a shipping method of this store'),
    );
    for (const wrong of [{ shipping: closed }, { shipping: flat, address: elsewhere }])
      expect(await place(shop, [1], wrong)).toEqual(
        invalid('shipping.method_id', 'shipping.method_id does not send this order there'),
      );
  });

  it.each([
    ['to no address', { address: undefined }, 1, 'address', 'address is a required field'],
    ['for cash and paid before', {}, 1, 'payment_method', 'payment_method must be cod for this shipping'],
    [
      'prepaid and paid when it comes',
      { payment_method: 'cod', address: { ...address } },
      0,
      'payment_method',
      'payment_method cannot be cod for this shipping',
    ],
  ])('%s is refused', async (_, more, method, field, message) => {
    const shop = await sendingShop();
    const shipping = { method_id: shop.methods[method]?.id };
    expect(await place(shop, [1], { shipping, ...more })).toEqual(invalid(field, message));
  });

  it.each([
    ['twice', { kind: 'pickup', method_id: uuidv7() }],
    ['by a quote alone', { quote_id: uuidv7() }],
    ['by an option alone', { option: 'own:x' }],
    ['not at all', {}],
  ])('that is named %s is refused', async (_, shipping) => {
    const shop = await orderShop(commerce, 5);
    const message = 'shipping must be a quote_id with its option, a method_id, or the kind pickup';
    expect(await place(shop, [1], { shipping })).toEqual(invalid('shipping', message));
  });

  it('at a price of its own is refused, and so is an option that was not offered', async () => {
    const shop = await sendingShop();
    const quoted = named(await rates(shop, [1]), 'Kurir toko');
    expect(await place(shop, [1], { shipping: { ...quoted, cost: 1 } })).toEqual(
      invalid('shipping.cost', 'shipping.cost is not a known field'),
    );
    expect(await place(shop, [1], { shipping: { ...quoted, option: 'own:x' } })).toEqual(
      invalid('shipping.option', 'shipping.option is none of the quote'),
    );
  });

  it('that buyers fetch costs nothing and needs no address', async () => {
    const shop = await orderShop(commerce, 5);
    const { body } = await place(shop, [1], { shipping: { kind: 'pickup' }, address: undefined });
    const kept = { kind: 'pickup', courier: null, service: null, etd: null };
    expect(body.data).toMatchObject({ shipping: kept, shipping_total: 0, total: 10_000 });
  });

  it('is what a coupon for free shipping takes off', async () => {
    const shop = await sendingShop();
    await shop.ask('POST', '/coupon', { code: 'ONGKIR', kind: 'free_shipping', value: 0 });
    const shipping = named(await rates(shop, [1]), 'Kurir toko');
    const { body } = await place(shop, [1], { shipping, coupon: 'ONGKIR' });
    expect(body.data).toMatchObject({ shipping_total: 0, total: 10_000, coupon: { code: 'ONGKIR', amount: 15_000 } });
  });
});

it('quotes and SKUs are found by their indexes', async () => {
  const store = uuidv7();
  for (const [statement, values] of [
    [QUOTE, [store, uuidv7(), NOW]],
    [BY_SKU, [store, ['x']]],
  ] as const)
    expectNoSeqScan(await explain(commerce.database, statement, values), 'rate_quote', 'variant');
});
