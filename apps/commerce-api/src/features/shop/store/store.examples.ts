import type { Example } from '@platform/http';
import { invalid, NEW_ID, noToken, refused, succeeded } from '../../../examples';

const shown = {
  id: 'S1',
  name: 'Toko Nusa',
  slug: 'toko-nusa',
  url: 'https://shop.example/s/toko-nusa',
  currency: 'IDR',
  timezone: 'Asia/Jakarta',
  status: 'open',
  logo_url: null,
  description: '',
  phone: null,
  address: null,
  hours: [],
  kyc_status: null,
};
const change = {
  description: 'Sepatu lari dari Bandung',
  phone: '6281234567890',
  address: { line: 'Jl. Merdeka 1', city: 'Bandung', postcode: '40111' },
  hours: [{ day: 1, open: '08:00', close: '17:00' }],
};
const changed = { ...shown, ...change };

export const store: readonly Example[] = [succeeded(shown), noToken()];

const another = { ...shown, id: NEW_ID, name: 'Toko Nusa Dua', slug: 'toko-nusa-dua' };
export const newStore: readonly Example[] = [
  succeeded(
    { ...another, url: 'https://shop.example/s/toko-nusa-dua' },
    { status: 201, message: 'Store created', request: { name: 'Toko Nusa Dua' } },
  ),
  refused('more than the plan allows', { name: 'Toko Nusa Dua' }, 402, {
    ...{ message: 'The plan allows 2 (stores)', code: 'plan_limit', metric: 'stores', limit: 2 },
  }),
  noToken({ name: 'Toko Nusa Dua' }),
];

export const storeChange: readonly Example[] = [
  succeeded(changed, { request: change, message: 'Store updated' }),
  invalid(
    'a time that no clock shows',
    { hours: [{ day: 1, open: '25:00', close: '17:00' }] },
    'hours.0.open',
    'hours[0].open must be a time such as 08:30',
  ),
  noToken(change),
];

export const statusChange: readonly Example[] = [
  succeeded(
    { ...changed, status: 'closed' },
    { request: { status: 'closed', message: 'Libur sampai Senin' }, message: 'Store updated' },
  ),
  succeeded(changed, { request: { status: 'open' }, message: 'Store updated' }),
  noToken({ status: 'open' }),
];

const { name, slug, logo_url, description, hours, status } = changed;
export const publicStore: readonly Example[] = [
  succeeded({ name, slug, logo_url, description, city: 'Bandung', hours, status }),
];
