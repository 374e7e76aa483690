import { succeeds } from '../../../examples';

export const variantExample = {
  ...{ id: 'd34172d1-eebf-56de-8cd2-a7a15cabb530', product_id: '03062e60-9585-5b91-9bb8-8a15c3f2cfbc' },
  ...{ sku: 'SEPATU-HITAM-42', barcode: '8991234567890', option_values: { Ukuran: '42' } },
  ...{ price: 250000, tiers: [{ min_qty: 6, price: 225000 }], compare_at: 300000, cost: 150000, weight_g: null },
  ...{ track_stock: true, allow_backorder: false, on_hand: 7, reserved: 0, available: 7, status: 'active' },
};
const { product_id } = variantExample;
const fresh = { ...variantExample, on_hand: 0, available: 0 };

export const variantExamples = {
  list: succeeds('one variant', [variantExample]),
  find: succeeds('by its barcode', variantExample),
  add: succeeds('another size', fresh, {
    status: 201,
    message: 'Variant created',
    request: { product_id, option_values: { Ukuran: '42' }, price: 250000 },
  }),
  generate: succeeds('what was missing', [fresh], {
    status: 201,
    message: 'Variants created',
    request: { product_id, options: [{ name: 'Ukuran', values: ['41', '42'] }], base: { price: 250000 } },
  }),
  change: succeeds('another price', variantExample, { message: 'Variant updated', request: { price: 250000 } }),
  archive: succeeds('one of several', null, { message: 'Variant archived' }),
} as const;
