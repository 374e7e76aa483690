import type { Example } from '@platform/http';

const UNKNOWN = '0199f7a0-0000-7000-8000-0000000000ff';

export const stockExamples: Example[] = [
  {
    summary: 'one that is there and one that nobody knows',
    request: { items: [{ sku: 'SEPATU-HITAM-42', qty: 2 }, { variant_id: UNKNOWN }] },
    status: 200,
    response: {
      status: 'success',
      message: 'OK',
      data: [
        {
          product_id: '03062e60-9585-5b91-9bb8-8a15c3f2cfbc',
          variant_id: 'd34172d1-eebf-56de-8cd2-a7a15cabb530',
          sku: 'SEPATU-HITAM-42',
          qty: 2,
          stock: 7,
          available: true,
        },
        { product_id: null, variant_id: UNKNOWN, sku: null, qty: 1, stock: 0, available: false },
      ],
      meta: { all_available: false },
    },
  },
  {
    summary: 'a misspelt field',
    request: { items: [{ sku: 'SEPATU-HITAM-42', quantity: 2 }] },
    status: 422,
    response: {
      status: 'error',
      message: 'items[0].quantity is not a known field',
      code: 'validation',
      errors: { 'items.0.quantity': ['items[0].quantity is not a known field'] },
    },
  },
];
