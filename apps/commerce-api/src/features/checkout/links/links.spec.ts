import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { auditedIn, invalid, notHere, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { newMember } from '../../../commerce.fixture';
import { buyerOf, orderShop, readyBasket, useCheckout } from '../checkout.fixture';
import type { CheckoutLink } from './links.dto';
import { LINK_STATEMENTS, linkListing } from './links.sql';

const commerce = useCheckout();
const CODE = /^[abcdefghjkmnpqrstvwxyz23456789]{8}$/;
const settings = { require_address: false, show_coupon: true, redirect_url: null, pixel_ids: [] };

const create = async ({ ask }: OwnStore, variants: readonly string[], more: object = {}): Promise<CheckoutLink> => {
  const lines = variants.map((variant_id) => ({ variant_id, qty: 1 }));
  const { status, body } = await ask<CheckoutLink>('POST', '/checkout/links', { name: 'Promo', lines, ...more });
  expect(status).toBe(201);
  return body.data;
};

describe('a checkout link', () => {
  it('is created, changed, listed and disabled, and every write is in the audit log', async () => {
    const shop = await orderShop(commerce, 5, 5);
    const lines = [{ variant_id: shop.variants[0], qty: 2, editable: true }];
    const created = await shop.ask<CheckoutLink>('POST', '/checkout/links', { name: 'Promo', lines });
    const { id, code } = created.body.data;
    const link = {
      ...{ id, code, url: `https://shop.example/l/${code}`, name: 'Promo', lines: [{ ...lines[0], name: 'Hat 0' }] },
      ...{ settings, status: 'active', views: 0, placed: 0, paid: 0 },
    };
    expect(created).toEqual(succeeded(201, 'Checkout link created', link));
    expect(code).toMatch(CODE);
    const change = {
      name: 'Lebaran',
      settings: { require_address: true, redirect_url: 'https://toko.example/selesai' },
    };
    const changed = { ...link, name: 'Lebaran', settings: { ...settings, ...change.settings } };
    expect(await shop.ask('PUT', `/checkout/links/${id}`, change)).toEqual(
      succeeded(200, 'Checkout link updated', changed),
    );
    expect((await shop.ask('GET', '/checkout/links?q=leb')).body.data).toEqual([changed]);
    expect((await shop.ask('GET', '/checkout/links?q=promo')).body.data).toEqual([]);
    expect(await shop.ask('DELETE', `/checkout/links/${id}`)).toEqual(succeeded(200, 'Checkout link disabled', null));
    expect((await shop.ask('GET', '/checkout/links?status=active')).body.data).toEqual([]);
    expect((await shop.ask('GET', '/checkout/links')).body.data).toEqual([{ ...changed, status: 'disabled' }]);
    expect((await shop.ask<CheckoutLink>('PUT', `/checkout/links/${id}`, { status: 'active' })).body.data).toEqual(
      changed,
    );
    expect(await auditedIn(commerce, shop.storeId)).toEqual([
      'checkout.write checkout_link: code, id, lines, name, settings, status, views',
      'checkout.write checkout_link: name, settings',
      'checkout.write checkout_link: status',
      'checkout.write checkout_link: status',
    ]);
  });

  it('sells nothing that the store does not, no variant twice, and knows only ids of pixels', async () => {
    const [shop, theirs] = [await orderShop(commerce, 5), await orderShop(commerce, 5)];
    const post = (body: object) => shop.ask('POST', '/checkout/links', { name: 'Promo', ...body });
    const line = { variant_id: shop.variants[0], qty: 1 };
    expect(await post({ lines: [line, { variant_id: theirs.variants[0], qty: 1 }] })).toEqual(
      notHere('lines[1].variant_id', 'is not on sale in this store'),
    );
    expect(await post({ lines: [line, { ...line, variant_id: shop.variants[0]?.toUpperCase() }] })).toEqual(
      invalid('lines.1.variant_id', 'lines[1].variant_id stands twice'),
    );
    expect(await post({ lines: [line], settings: { pixel_ids: ['x'] } })).toEqual(
      invalid('settings.pixel_ids.0', 'settings.pixel_ids[0] must be a valid UUID'),
    );
    for (const redirect_url of [
      'javascript:alert(1)',
      'JaVa\tScRiPt:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//a.example',
    ])
      expect(await post({ lines: [line], settings: { redirect_url } })).toMatchObject({
        status: 422,
        body: { errors: { 'settings.redirect_url': expect.any(Array) } },
      });
    expect(await post({ lines: [{ ...line, price: 1 }] })).toEqual(
      invalid('lines.0.price', 'lines[0].price is not a known field'),
    );
    expect((await shop.ask('GET', '/checkout/links')).body.data).toEqual([]);
  });

  it('of another store is not found, and is not in the list', async () => {
    const [shop, theirs] = [await orderShop(commerce, 5), await ownStore(commerce)];
    const { id } = await create(shop, shop.variants);
    const missing = refused(404, 'not_found', 'Checkout link not found');
    expect(await theirs.ask('PUT', `/checkout/links/${id}`, { name: 'Milik kami' })).toEqual(missing);
    expect(await theirs.ask('DELETE', `/checkout/links/${id}`)).toEqual(missing);
    expect(await theirs.ask('DELETE', `/checkout/links/${uuidv7()}`)).toEqual(missing);
    expect((await theirs.ask('GET', '/checkout/links')).body.data).toEqual([]);
  });

  it('is read by every member and changed by those who sell', async () => {
    const shop = await orderShop(commerce, 5);
    const { id } = await create(shop, shop.variants);
    const { token } = await newMember(commerce, shop.storeId, 'warehouse');
    expect((await commerce.call('GET', '/api/checkout/links', token)).status).toBe(200);
    expect(await commerce.call('PUT', `/api/checkout/links/${id}`, token, { name: 'x' })).toMatchObject({
      status: 403,
    });
  });

  it('counts the carts, the orders and the paid orders that came of it', async () => {
    const shop = await orderShop(commerce, 9);
    const { id, code } = await create(shop, shop.variants);
    const begin = () => buyerOf(commerce)('POST', '/checkout/session', { link_code: code });
    await Promise.all([begin(), begin(), begin()]);
    const numbers: string[] = [];
    while (numbers.length < 2) {
      const { place } = await readyBasket(commerce, shop, [], { link_code: code.toUpperCase() });
      numbers.push(((await place(10_000)).body.data as { order_number: string }).order_number);
    }
    await commerce.database.query(`UPDATE sales_order SET payment_status = 'paid' WHERE number = $1`, [numbers[0]]);
    const [listed] = (await shop.ask<CheckoutLink[]>('GET', '/checkout/links')).body.data;
    expect(listed).toMatchObject({ id, views: 5, placed: 2, paid: 1 });
    const { orders } = { orders: (await shop.ask<{ channel: string }[]>('GET', '/order')).body.data };
    expect(orders.map(({ channel }) => channel)).toEqual(['link', 'link']);
  });
});

it('lists of links and their counts are read by index', async () => {
  const { storeId } = await orderShop(commerce);
  const { rows, count } = linkListing.statements(storeId, {});
  const byId = { text: LINK_STATEMENTS.byId, values: [storeId, uuidv7()] };
  for (const { text, values } of [rows, count, byId])
    expectNoSeqScan(await explain(commerce.database, text, [...values]));
});
