import { onlyPage, succeeds } from '../../../examples';

const variant_id = 'd34172d1-eebf-56de-8cd2-a7a15cabb530';
const wanted = { name: 'Promo Lebaran', lines: [{ variant_id, qty: 1, editable: true }] };
const link = {
  ...{ id: '0199f7a0-0000-7000-8000-000000000301', code: 'k7mqa2xp', url: 'https://shop.example/l/k7mqa2xp' },
  ...{ name: wanted.name, lines: [{ ...wanted.lines[0], name: 'Sepatu Lari Nusa Hitam 42' }] },
  settings: { require_address: true, show_coupon: true, redirect_url: null, pixel_ids: [] },
  ...{ status: 'active', views: 0, placed: 0, paid: 0 },
};

export const linkExamples = {
  list: succeeds('all of a store', [link], { meta: onlyPage(1) }),
  create: succeeds('one pair, or as many as the buyer wants', link, {
    status: 201,
    message: 'Checkout link created',
    request: { ...wanted, settings: { require_address: true } },
  }),
  change: succeeds(
    'another name',
    { ...link, name: 'Promo Syawal' },
    { message: 'Checkout link updated', request: { name: 'Promo Syawal' } },
  ),
  disable: succeeds('no more carts', null, { message: 'Checkout link disabled' }),
} as const;
