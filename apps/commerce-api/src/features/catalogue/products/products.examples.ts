import type { Example } from '@platform/http';

export const productsExamples: Example[] = [
  {
    summary: 'variants, as the bot reads them',
    status: 200,
    response: {
      status: 'success',
      message: 'OK',
      data: [
        {
          sku: 'SEPATU-HITAM-42',
          product_id: '03062e60-9585-5b91-9bb8-8a15c3f2cfbc',
          variant_id: 'd34172d1-eebf-56de-8cd2-a7a15cabb530',
          name: 'Sepatu Lari Nusa Hitam 42',
          category: 'Sepatu',
          description: 'Ringan, untuk lari harian.',
          price: 250000,
          stock: 7,
          image: null,
          url: 'https://shop.example/s/toko-nusa/products/sepatu-lari-nusa-hitam-42',
          status: 'active',
          updated_at: '2026-03-01T08:00:00.000Z',
        },
      ],
      meta: { current_page: 1, per_page: 15, total: 1, last_page: 1, from: 1, to: 1 },
    },
  },
  {
    summary: 'no token',
    status: 401,
    response: { status: 'error', message: 'Unauthenticated', code: 'unauthenticated' },
  },
];
