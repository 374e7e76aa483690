import { succeeds } from '../../../examples';

const variant_id = 'd34172d1-eebf-56de-8cd2-a7a15cabb530';
const items = [{ variant_id, qty: 2 }];
const buyer = { name: 'Budi', phone: '6281234567890' };
const store = {
  ...{ name: 'Toko Nusa', slug: 'toko-nusa', logo_url: null, description: '', city: 'Bandung', hours: [] },
  status: 'open',
};
const settings = { require_address: false, show_coupon: true, redirect_url: null, pixel_ids: [] };
const line = {
  ...{ variant_id, name: 'Sepatu Lari Nusa Hitam 42', options: {}, price: 250_000, qty: 2, total: 500_000 },
  ...{ available: true, editable: true, image_url: null },
};
const amounts = {
  ...{ subtotal: 500_000, discount: 0, shipping_total: 0, fee: 0, tax_total: 0, total: 500_000 },
  ...{ currency: 'IDR', expires_at: '2026-03-08T08:00:00.000Z' },
};
const cart = { state: 'open', store, settings, lines: [line], buyer: null, address: null, coupon: null, ...amounts };
const coupon = { code: 'LEBARAN', amount: 50_000, reason: null };
const token = 'S1.0199f7a0-0000-7000-8000-000000000302.3nW0kJ8vYcQm5sT1xZb7Rf2uLh9dPg4aEi6oNw8yVtM';
const pay_token =
  '0199f7a0-0000-7000-8000-000000000202.1772956800.5c4f7d1e0b8a3629f5d4c3b2a1908f7e6d5c4b3a29180f7e6d5c4b3a29180f7e';

export const sessionExamples = {
  start: succeeds(
    'two pairs of a store',
    { token, ...cart },
    { status: 201, message: 'Cart created', request: { store_slug: 'toko-nusa', items } },
  ),
  show: succeeds('as it stands', cart),
  items: succeeds('two pairs', cart, { request: { items } }),
  buyer: succeeds('who takes them away', { ...cart, buyer }, { request: { buyer } }),
  coupon: succeeds(
    'ten per cent',
    { ...cart, coupon, discount: 50_000, total: 450_000 },
    { request: { code: 'LEBARAN' } },
  ),
  noCoupon: succeeds('at the full price', cart),
  place: succeeds(
    'by transfer',
    {
      ...{ order_number: 'INV-260301-7K3QX9', total: 500_000, pay_url: `https://shop.example/pay/${pay_token}` },
      ...{ pay_token, expires_at: null },
    },
    { status: 201, message: 'Order created', request: { payment_method: 'transfer', expected_total: 500_000 } },
  ),
  status: succeeds('nobody has paid yet', {
    ...{ order_number: 'INV-260301-7K3QX9', payment_status: 'unpaid', paid_at: null },
  }),
} as const;
