import { invalid, refused } from '../../asked.fixture';
import { buyerOf, somebody, useCheckout } from '../checkout/checkout.fixture';
import type { CartView, StartedCart } from '../checkout/sessions/sessions.dto';
import { digitalShop, EMAIL, type DigitalShop } from './digital.fixture';

const commerce = useCheckout({ PUBLIC_URL: 'https://shop.example' });
const ask = buyerOf(commerce);
const NO_EMAIL = { name: 'Budi', phone: '6281234567890' };

/** The path of a cart of so many of the shop's digital product, and of a hat. */
const cartOf = async ({ storeId, variantId }: DigitalShop, qty: number, hat?: string): Promise<string> => {
  const items = [{ variant_id: variantId, qty }, ...(hat ? [{ variant_id: hat, qty: 1 }] : [])];
  const begun = await ask<StartedCart>('POST', '/checkout/session', { store_slug: storeId, items });
  return `/checkout/session/${begun.body.data.token}`;
};
const named = (path: string, buyer: object = { ...NO_EMAIL, email: EMAIL }) =>
  ask<CartView>('PUT', `${path}/address`, { buyer });
const place = (path: string, expected_total: number) =>
  ask('POST', `${path}/place`, { payment_method: 'cash', expected_total }, somebody());
const hatIn = async ({ ask: staff }: DigitalShop, stock: number): Promise<string> => {
  const [warehouse] = (await staff<{ id: string }[]>('GET', '/warehouse')).body.data;
  const variants = [{ price: 5_000, stock: [{ warehouse_id: warehouse?.id, on_hand: stock }] }];
  const body = { name: 'Topi', weight_g: 100, status: 'active', variants };
  const made = await staff<{ variants: { id: string }[] }>('POST', '/products', body);
  return made.body.data.variants[0]?.id ?? '';
};

describe('a cart of downloads', () => {
  it('is placed without an address and without shipping, but not without an e-mail address', async () => {
    const shop = await digitalShop(commerce);
    const path = await cartOf(shop, 2);
    expect(await named(path, NO_EMAIL)).toEqual(invalid('buyer.email', 'buyer.email is a required field'));
    const cart = (await named(path)).body.data;
    expect([cart.total, cart.shipping, cart.payment_methods.length > 0]).toEqual([20_000, null, true]);
    expect((await ask('GET', `${path}/shipping-rates`)).body.data).toEqual([]);
    expect((await place(path, 20_000)).status).toBe(201);
    const [order] = (await shop.ask<{ total: number; address: null; shipping: null }[]>('GET', '/order')).body.data;
    expect(order).toMatchObject({ total: 20_000, address: null, shipping: null });
  });

  it('with goods ships only the goods', async () => {
    const shop = await digitalShop(commerce);
    await shop.ask('PUT', `/products/${shop.product.id}`, { weight_g: 900_000 });
    const path = await cartOf(shop, 1, await hatIn(shop, 5));
    await named(path);
    expect(await place(path, 15_000)).toEqual(invalid('shipping', 'shipping is a required field'));
    await shop.ask('POST', '/shipping/methods', { kind: 'pickup', name: 'Ambil di toko', cost: 0 });
    const [option] = (await ask<{ quote_id: string; option: string }[]>('GET', `${path}/shipping-rates`)).body.data;
    await ask('PUT', `${path}/shipping`, { quote_id: option?.quote_id, option: option?.option });
    expect((await place(path, 15_000)).status).toBe(201);
    const [{ id }] = (await shop.ask<[{ id: string }]>('GET', '/order')).body.data;
    const order = (await shop.ask<{ items: { id: string; name: string; qty: number }[] }>('GET', `/order/${id}`)).body
      .data;
    const [book, hat] = order.items.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    const waybill = { courier: 'jne', waybill: 'JNE00001', notify: false };
    const sent = await shop.ask<{ lines: object[] }>('POST', `/order/${id}/waybill`, waybill);
    expect(sent.body.data.lines).toEqual([{ order_item_id: hat?.id, qty: 1, condition: null }]);
    expect(book?.name).toBe('Buku Nusa');
    const whole = await shop.ask<{ fulfillment_status: string }>('GET', `/order/${id}`);
    expect(whole.body.data.fulfillment_status).toBe('shipped');
  });

  it('sold by key has as many as keys are free, wherever that is told', async () => {
    const shop = await digitalShop(commerce, { keys: ['AAAA-1111', 'BBBB-2222'] });
    const told = async (qty: number) => {
      const path = await cartOf(shop, qty);
      const { lines } = (await ask<CartView>('GET', path)).body.data;
      const page = await ask<{ in_stock: boolean; variants: { available: number | null }[] }[]>(
        'GET',
        `/store/public/${shop.storeId}/products`,
      );
      const stock = await shop.ask<{ stock: number; available: boolean }[]>('POST', '/products/check-stock', {
        items: [{ variant_id: shop.variantId, qty }],
      });
      const [line] = stock.body.data;
      const [shown] = page.body.data;
      return [lines[0]?.available, shown?.in_stock, shown?.variants[0]?.available, line?.stock, line?.available];
    };
    expect(await told(2)).toEqual([true, true, 2, 2, true]);
    expect(await told(3)).toEqual([false, true, 2, 2, false]);
    await shop.order(2);
    expect(await told(1)).toEqual([false, false, 0, 0, false]);
    await shop.ask('PUT', `/digital-store/${shop.product.id}`, { delivery: { needs_key: false } });
    expect(await told(9_999)).toEqual([true, true, null, 0, true]);
  });

  it('of the last key is placed by one of two buyers; the other is told what is left', async () => {
    const shop = await digitalShop(commerce, { keys: ['AAAA-1111'] });
    const paths = [await cartOf(shop, 1), await cartOf(shop, 1)];
    for (const path of paths) await named(path);
    const answers = await Promise.all(paths.map((path) => place(path, 10_000)));
    const [won, lost] = answers.toSorted((one, other) => one.status - other.status);
    expect(won?.status).toBe(201);
    expect(lost).toEqual(
      refused(409, 'out_of_stock', 'There is not enough stock', {
        lines: [{ variant_id: shop.variantId, available: 0 }],
      }),
    );
    expect(await shop.keys()).toEqual(['1111 held']);
  });
});
