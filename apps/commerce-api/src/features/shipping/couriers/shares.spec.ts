import { basketOf, buyerOf, CONTACT, optionsOf } from '../../checkout/checkout.fixture';
import type { RateOption } from '../rates/public';
import { courierShop, useCouriers } from './couriers.fixture';

const couriered = useCouriers({ TRUST_PROXY: '127.0.0.1', PAY_LINK_SECRET: 'a secret of links' });
const MENTENG = { line: 'Jl. Cikini 1', district: 'Menteng', city: 'Jakarta Pusat' };
const names = (options: readonly RateOption[]) => options.map(({ name }) => name);
const BOTH = ['POS Pos Reguler', 'JNE REG'];

it('a buyer who has the couriers asked about made-up places again and again hides them from nobody else', async () => {
  const { commerce, sandbox } = couriered;
  const shop = await courierShop(commerce);
  const [noisy, quiet] = [await basketOf(commerce, shop, [1]), await basketOf(commerce, shop, [1])];
  const ask = buyerOf(commerce);
  const before = sandbox.desk.requests.length;
  for (let at = 0; at < 25; at += 1) {
    await ask('PUT', `${noisy.path}/address`, {
      buyer: CONTACT,
      address: { line: 'Jl. 1', city: `Antah Berantah ${at}` },
    });
    expect(await optionsOf(commerce, noisy.path)).toEqual([]);
  }
  expect(sandbox.desk.requests.length - before).toBe(20);
  for (const { path } of [noisy, quiet]) await ask('PUT', `${path}/address`, { buyer: CONTACT, address: MENTENG });
  expect([await optionsOf(commerce, noisy.path), names(await optionsOf(commerce, quiet.path))]).toEqual([[], BOTH]);
  const asked = { items: shop.cart(2).items, area_id: shop.to };
  expect(names((await shop.ask<RateOption[]>('POST', '/shipping/rates', asked)).body.data)).toEqual(BOTH);
});
