import { caller, hostileCalls, hostileTexts, textFieldsOf } from '@platform/testing';
import { basketOf, CONTACT, orderShop, somebody, useCheckout } from '../checkout.fixture';

const commerce = useCheckout();
const ADDRESS = { line: 'Jl. Braga 1', city: 'Bandung' };

describe('a cart survives a buyer who sends', () => {
  it.each(Object.entries(hostileTexts))('%s in any text', async (_, hostile) => {
    const shop = await orderShop(commerce, 5);
    const { path } = await basketOf(commerce, shop, [1]);
    const { items } = shop.cart(1);
    const fieldsOf = textFieldsOf(commerce.app);
    const call = caller(commerce.url);
    const good = [
      ['POST', '', { store_slug: shop.storeId, items, utm: { source: 'x' }, visitor_id: 'v' }],
      ['PUT', '/{token}/items', { items }],
      ['PUT', '/{token}/address', { buyer: CONTACT, address: ADDRESS }],
      ['POST', '/{token}/coupon', { code: 'SALE' }],
      ['POST', '/{token}/place', { payment_method: 'transfer', expected_total: 1, note: 'Cepat' }],
    ] as const;
    const broken: unknown[] = [];
    for (const [method, below, body] of good) {
      const template = `/api/checkout/session${below}`;
      const address = below === '' ? template : `/api${path}${below.replace('/{token}', '')}`;
      for (const one of hostileCalls({ method, template, path: address, body }, fieldsOf, hostile)) {
        const { status } = await call(one.path, { method, body: one.body, headers: somebody() });
        if (status >= 500 || status === 429) broken.push({ method, template, where: one.where, status });
      }
    }
    expect(broken).toEqual([]);
    expect((await call(`/api${path}`, { headers: somebody() })).status).toBe(200);
  });
});
