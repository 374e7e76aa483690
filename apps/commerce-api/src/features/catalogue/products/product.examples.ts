import { NEW_ID, succeeds } from '../../../examples';
import { variantExample } from '../variants/public';

const product = {
  ...{ id: variantExample.product_id, name: 'Sepatu Lari Nusa', slug: 'sepatu-lari-nusa', kind: 'physical' },
  ...{
    status: 'active',
    category: null,
    description: 'Ringan, untuk lari harian.',
    price_min: 250000,
    price_max: 250000,
  },
  ...{ available: 7, weight_g: 1000, created_at: '2026-03-01T08:00:00.000Z', updated_at: '2026-03-01T08:00:00.000Z' },
  ...{ options: [{ name: 'Ukuran', values: ['41', '42'] }], taxable: true, seo: null },
  images: [{ id: '0199f7a0-0000-7000-8000-000000000301', url: 'https://shop.example/media/a.jpg', position: 0 }],
  variants: [variantExample],
};
const draft = {
  ...{ ...product, id: '0199f7a0-0000-7000-8000-000000000302', slug: 'sepatu-lari-nusa-copy-1', status: 'draft' },
  ...{ available: 0, images: [], variants: [{ ...variantExample, on_hand: 0, available: 0 }] },
};
const movement = {
  ...{ id: '0199f7a0-0000-7000-8000-000000000303', at: '2026-03-01T08:00:00.000Z', variant_id: variantExample.id },
  ...{ warehouse_id: '0199f7a0-0000-7000-8000-000000000101', delta_on_hand: -1, delta_reserved: 0, reason: 'damage' },
  ...{ ref: null, actor: '0199f7a0-0000-7000-8000-000000000001', note: 'Kena air' },
};
const { variant_id, warehouse_id } = movement;
const updated = { message: 'Product updated' };

export const productExamples = {
  create: succeeds(
    'with one variant',
    {
      ...{
        ...product,
        id: NEW_ID,
        slug: 'topi-nusa',
        name: 'Topi Nusa',
        status: 'draft',
        description: '',
        options: [],
      },
      ...{ price_min: 75000, price_max: 75000, available: 0, weight_g: 120, images: [] },
      variants: [
        {
          ...{ ...variantExample, id: NEW_ID, product_id: NEW_ID, sku: '<sku>', barcode: null, option_values: {} },
          ...{ price: 75000, tiers: [], compare_at: null, cost: null, weight_g: null, on_hand: 0, available: 0 },
        },
      ],
    },
    { status: 201, message: 'Product created', request: { name: 'Topi Nusa', price: 75000, weight_g: 120 } },
  ),
  find: succeeds('with variants and stock', product),
  change: succeeds('another name', product, { ...updated, request: { name: 'Sepatu Lari Nusa' } }),
  archive: succeeds('no longer on sale', null, { message: 'Product archived' }),
  duplicate: succeeds('as a draft', draft, { status: 201, message: 'Product created' }),
  status: succeeds('on sale', product, { ...updated, request: { status: 'active' } }),
  bulk: succeeds(
    'ten percent more',
    { changed: [product.id], failed: [] },
    { message: 'Products updated', request: { ids: [product.id], set: { price: { op: 'percent', value: 10 } } } },
  ),
  adjust: succeeds('one is damaged', movement, {
    message: 'Stock corrected',
    request: { variant_id, warehouse_id, delta: -1, reason: 'damage', note: 'Kena air' },
  }),
  movements: succeeds('the newest', [movement], { meta: { next_cursor: null } }),
} as const;
