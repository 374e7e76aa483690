import { onlyPage, succeeds } from '../../../examples';

const cart = {
  id: '0199f7a0-0000-7000-8000-000000000302',
  buyer: { name: 'Budi', phone: '6281234567890' },
  lines: [{ variant_id: 'd34172d1-eebf-56de-8cd2-a7a15cabb530', name: 'Sepatu Lari Nusa Hitam 42', qty: 2 }],
  ...{ total: 500_000, currency: 'IDR', link: null, created_at: '2026-03-01T08:00:00.000Z' },
  ...{ abandoned_at: '2026-03-01T09:05:00.000Z', reminded_at: null },
};

export const abandonedExamples = {
  list: succeeds('all of a store', [cart], { meta: onlyPage(1) }),
  remind: succeeds('once in 24 hours', null, { status: 202, message: 'Reminder queued' }),
} as const;
