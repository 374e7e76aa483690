// What is bought is called the same wherever somebody reads it: in the order in which its product has its options.
import { openBrowser } from '../../../web/browser.fixture';
import { somebody, useCheckout } from '../../checkout/checkout.fixture';
import { orderShop } from './orders.fixture';

interface Named {
  readonly id: string;
  readonly name: string;
}

const commerce = useCheckout();

/** Options whose names PostgreSQL keeps the other way round: the shorter first. */
const OPTIONS = [
  { name: 'Ukuran', values: ['42', '43'] },
  { name: 'Warna', values: ['Hitam'] },
];

const shoes = async () => {
  const shop = await orderShop(commerce);
  const variants = [{ option_values: { Warna: 'Hitam', Ukuran: '42' }, price: 10_000, track_stock: false }];
  const given = { name: 'Sepatu', kind: 'service', status: 'active', options: OPTIONS, variants };
  const made = (await shop.ask<Named & { version: number; variants: Named[] }>('POST', '/products', given)).body.data;
  return { shop, product: made, lines: [{ variant_id: made.variants[0]?.id, qty: 1 }] };
};

it('an order calls a variant in the order of the options, and still does when they change', async () => {
  const { shop, product, lines } = await shoes();
  const cart = { ...shop.cart(), items: lines };
  const { id, items } = await shop.place(cart);
  expect(items.map(({ name }) => name)).toEqual(['Sepatu 42 Hitam']);
  const { version } = product;
  await shop.ask('PUT', `/products/${product.id}`, { version, options: [...OPTIONS].reverse() });
  expect((await shop.place(cart)).items.map(({ name }) => name)).toEqual(['Sepatu Hitam 42']);
  expect((await shop.ask<{ items: Named[] }>('GET', `/order/${id}`)).body.data.items).toMatchObject(items);
});

it('so do the cart of a buyer, and the list from which the bot tells', async () => {
  const { shop, lines } = await shoes();
  const link = await shop.ask<{ code: string }>('POST', '/checkout/links', { name: 'Sepatu', lines });
  const browser = openBrowser(commerce);
  const { location = '' } = await browser.get(`/l/${link.body.data.code}`, somebody());
  expect((await browser.get(location)).text).toContain('>42, Hitam<');
  const listed = await shop.ask<Named[]>('GET', '/products?view=variants');
  expect(listed.body.data.map(({ name }) => name)).toEqual(['Sepatu - 42, Hitam']);
});
