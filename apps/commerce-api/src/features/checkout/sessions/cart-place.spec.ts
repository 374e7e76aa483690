import type { Order } from '../../sales/orders/orders.dto';
import type { RateOption } from '../../shipping/rates/public';
import { courierShop, useCouriers } from '../../shipping/couriers/couriers.fixture';
import { basketOf, buyerOf, CONTACT, optionsOf } from '../checkout.fixture';
import type { CartView } from './sessions.dto';

const couriered = useCouriers({ TRUST_PROXY: '127.0.0.1', PAY_LINK_SECRET: 'a secret of links' });
const FAR = { line: 'Jl. Raya 1', district: 'Abepura', city: 'Jayapura', province: 'Papua', postcode: '99351' };
const NEAR = { district: 'Cicendo', city: 'Bandung', province: 'Jawa Barat', postcode: '40172' };
const priced = (options: readonly RateOption[]) => options.map(({ name, cost }) => `${name} ${cost}`);

const cartOf = async () => {
  const { commerce } = couriered;
  const shop = await courierShop(commerce);
  await shop.ask('POST', '/payment/bank-transfer', { bank_code: 'BCA', number: '1234567890', holder: 'Sari' });
  const basket = await basketOf(commerce, shop, [1]);
  const ask = buyerOf(commerce);
  const goTo = async (address: object) =>
    (await ask<CartView>('PUT', `${basket.path}/address`, { buyer: CONTACT, address })).body.data;
  const options = async (address: object) => {
    await goTo(address);
    return optionsOf(commerce, basket.path);
  };
  const choose = ([first]: readonly RateOption[]) =>
    ask<CartView>('PUT', `${basket.path}/shipping`, { quote_id: first?.quote_id, option: first?.option });
  return { ...basket, shop, goTo, options, choose };
};

describe('the address of a cart', () => {
  it('with the id of an area is called as that area is, whatever its buyer has typed', async () => {
    const { shop, goTo, options, choose, place } = await cartOf();
    const [area_id, far] = [await shop.areaId('Cicendo, Bandung'), await options(FAR)];
    const near = await options({ line: FAR.line, area_id });
    const typed = await options({ ...FAR, area_id });
    expect(priced(typed)).toEqual(priced(near));
    expect(priced(typed)).not.toEqual(priced(far));
    expect((await goTo({ ...FAR, area_id })).address).toEqual({ line: FAR.line, area_id, ...NEAR });
    const { total } = (await choose(typed)).body.data;
    expect((await place(total, { payment_method: 'transfer' })).status).toBe(201);
    const [order] = (await shop.ask<Order[]>('GET', '/order')).body.data;
    expect(order).toMatchObject({ shipping: { kind: 'courier' }, address: { area_id, ...NEAR } });
  });

  it('with an id that nobody has searched for is sent where its names are, and nowhere without', async () => {
    const { options, goTo, choose } = await cartOf();
    const area_id = '4711';
    expect(priced(await options({ ...FAR, area_id }))).toEqual(priced(await options(FAR)));
    expect(await options({ line: 'Jl. Raya 1, Abepura, Jayapura', area_id })).toEqual([]);
    const near = await options({ line: 'Jl. 1', district: 'Cicendo', city: 'Bandung', area_id });
    await goTo({ ...FAR, area_id });
    expect((await choose(near)).body.code).toBe('quote_expired');
  });

  it('with the same words for other levels of the place is another one, and so is one with more of them', async () => {
    const { options, goTo, choose } = await cartOf();
    const near = await options({ line: 'Jl. 1', district: 'Cicendo', city: 'Bandung' });
    expect((await choose(near)).status).toBe(200);
    for (const address of [
      { line: 'Jl. 1', district: 'Cicendo', city: 'Jayapura', province: 'Bandung' },
      { line: 'Jl. 1', district: 'Bandung', city: 'Cicendo' },
    ]) {
      expect((await goTo(address)).shipping).toBeNull();
      expect((await choose(near)).body.code).toBe('quote_expired');
    }
  });
});

it('an order of the staff to an area is called as that area is', async () => {
  const { shop } = await cartOf();
  const area_id = await shop.areaId('Cicendo, Bandung');
  const asked = { items: shop.cart(1).items, area_id };
  const [{ quote_id, option } = {}] = (await shop.ask<Partial<RateOption>[]>('POST', '/shipping/rates', asked)).body
    .data;
  const body = { ...shop.cart(1), address: { ...FAR, area_id }, shipping: { quote_id, option } };
  expect((await shop.ask<Order>('POST', '/order', body)).body.data).toMatchObject({ address: { area_id, ...NEAR } });
});
