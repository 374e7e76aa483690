import { uuidv7 } from '@platform/runtime';
import { invalid, refused } from '../../../asked.fixture';
import type { Order } from '../../sales/orders/orders.dto';
import type { RateOption } from '../../shipping/rates/public';
import type { OrderShop } from '../../sales/orders/orders.fixture';
import { basketOf, buyerOf, CONTACT, optionsOf, orderShop, useCheckout } from '../checkout.fixture';
import type { CartView } from './sessions.dto';

const commerce = useCheckout();
const ask = buyerOf(commerce);
const BANDUNG = { line: 'Jl. Braga 1', city: 'Bandung' };
const EXPIRED = refused(
  409,
  'quote_expired',
  'The price of the shipping is not good for this any more: ask for the options again',
);

/** A shop with a courier of its own in Bandung, who may be paid at the door, and a counter. */
const shopWithCourier = async (): Promise<OrderShop> => {
  const shop = await orderShop(commerce, 50);
  for (const method of [
    { kind: 'flat', name: 'Kurir toko', cost: 15_000, areas: ['Bandung'] },
    { kind: 'cod', name: 'Bayar di tempat', cost: 20_000, areas: ['Bandung'] },
    { kind: 'pickup', name: 'Ambil di toko', cost: 0 },
  ])
    expect((await shop.ask('POST', '/shipping/methods', method)).status).toBe(201);
  const account = { bank_code: 'BCA', number: '5210001234', holder: 'Sari' };
  expect((await shop.ask('POST', '/payment/bank-transfer', account)).status).toBe(201);
  return shop;
};
const cartIn = async (shop: OrderShop, address?: object) => {
  const basket = await basketOf(commerce, shop, [2]);
  await ask('PUT', `${basket.path}/address`, { buyer: CONTACT, address });
  const options = await optionsOf(commerce, basket.path);
  const choose = (option: Partial<RateOption> | undefined) =>
    ask<CartView>('PUT', `${basket.path}/shipping`, { quote_id: option?.quote_id, option: option?.option });
  const named = (name: string) => options.find((option) => option.name === name);
  return { ...basket, options, choose, named };
};
const methods = ({ payment_methods }: CartView) => payment_methods.map(({ code, total }) => `${code} ${total}`);

describe('the shipping of a cart', () => {
  it('is offered for its address, chosen at the price of its quote, and paid as it is sent', async () => {
    const { options, choose, named } = await cartIn(await shopWithCourier(), BANDUNG);
    expect(options.map(({ name, cost }) => [name, cost])).toEqual([
      ['Ambil di toko', 0],
      ['Kurir toko', 15_000],
      ['Bayar di tempat', 20_000],
    ]);
    const courier = (await choose(named('Kurir toko'))).body.data;
    expect(courier).toMatchObject({ shipping: { kind: 'flat', service: 'Kurir toko' }, shipping_total: 15_000 });
    expect([courier.total, methods(courier)]).toEqual([35_000, ['transfer 35000']]);
    expect(methods((await choose(named('Bayar di tempat'))).body.data)).toEqual(['cod 40000']);
    expect(methods((await choose(named('Ambil di toko'))).body.data)).toEqual(['cash 20000', 'transfer 20000']);
  });

  it('goes into the order, with the fee of the method that the cart has shown', async () => {
    const shop = await shopWithCourier();
    await shop.ask('PUT', '/payment/methods/transfer', { fee_bearer: 'buyer', fee: { percent_bp: 100, fixed: 500 } });
    const { choose, named, place, path } = await cartIn(shop, BANDUNG);
    const cart = (await choose(named('Kurir toko'))).body.data;
    expect([cart.fee, cart.total, cart.payment_methods]).toEqual([
      0,
      35_000,
      [{ code: 'transfer', fee: 850, total: 35_850 }],
    ]);
    expect((await place(35_850, { payment_method: 'transfer' })).status).toBe(201);
    const [order] = (await shop.ask<Order[]>('GET', '/order')).body.data;
    expect(order).toMatchObject({ shipping_total: 15_000, fee: 850, total: 35_850, shipping: { kind: 'flat' } });
    const placed = (await ask<CartView>('GET', path)).body.data;
    expect(placed).toMatchObject({ state: 'placed', fee: 850, total: 35_850, payment_methods: [] });
  });

  it('is needed before it is placed, with a method that goes with it and that the shop can be paid by', async () => {
    const shop = await shopWithCourier();
    const { choose, named, place } = await cartIn(shop, BANDUNG);
    expect(await place(20_000)).toEqual(invalid('shipping', 'shipping is a required field'));
    await choose(named('Kurir toko'));
    const unoffered = invalid('payment_method', 'payment_method is not offered for this cart');
    expect(await place(35_000, { payment_method: 'cash' })).toEqual(unoffered);
    expect(await place(35_000, { payment_method: 'cod' })).toMatchObject({ status: 422, body: { code: 'validation' } });
    await commerce.database.query('UPDATE transfer_account SET active = false WHERE store_id = $1', [shop.storeId]);
    expect(await place(35_000, { payment_method: 'transfer' })).toEqual(unoffered);
    expect(await shop.levels()).toEqual(['50/0']);
  });

  it('that was quoted for other goods, another address, another cart or too long ago is gone, and refused', async () => {
    const shop = await shopWithCourier();
    const { choose, named, path, place } = await cartIn(shop, BANDUNG);
    const courier = named('Kurir toko');
    const shippingOf = async () => (await ask<CartView>('GET', path)).body.data.shipping;
    for (const [below, body] of [
      ['/items', { items: shop.cart(3).items }],
      ['/address', { buyer: CONTACT, address: { ...BANDUNG, city: 'Jakarta' } }],
    ] as const) {
      expect((await choose(courier)).status).toBe(200);
      expect((await ask<CartView>('PUT', path + below, body)).body.data).toMatchObject({
        shipping: null,
        shipping_total: 0,
      });
      expect(await choose(courier)).toEqual(EXPIRED);
      await ask('PUT', `${path}/items`, { items: shop.cart(2).items });
      await ask('PUT', `${path}/address`, { buyer: CONTACT, address: BANDUNG });
    }
    const theirs = await cartIn(await shopWithCourier(), BANDUNG);
    expect(await choose(theirs.named('Kurir toko'))).toEqual(EXPIRED);
    expect(await choose({ ...courier, quote_id: uuidv7() })).toEqual(EXPIRED);
    expect(await choose({ ...courier, option: 'own:x' })).toEqual(
      invalid('shipping.option', 'shipping.option is none of the quote'),
    );
    await choose(courier);
    await commerce.database.query(`UPDATE rate_quote SET expires_at = '2026-03-01T07:59:59Z' WHERE store_id = $1`, [
      shop.storeId,
    ]);
    expect([await shippingOf(), await place(35_000, { payment_method: 'transfer' })]).toEqual([null, EXPIRED]);
  });

  it('is not asked for where nothing is sent: such a cart is placed without', async () => {
    const shop = await shopWithCourier();
    await commerce.database.query(`UPDATE product SET kind = 'service' WHERE store_id = $1`, [shop.storeId]);
    const { options, place, path } = await cartIn(shop);
    expect(options).toEqual([]);
    expect(methods((await ask<CartView>('GET', path)).body.data)).toEqual(['cash 20000', 'transfer 20000']);
    expect((await place(20_000)).status).toBe(201);
  });
});
