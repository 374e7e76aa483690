import { NEW_ID, onlyPage, succeeds } from '../../../examples';

const variant = {
  ...{ id: 'd34172d1-eebf-56de-8cd2-a7a15cabb530', sku: 'SEPATU-HITAM-42', option_values: {}, price: 250_000 },
  ...{ compare_at: null, tiers: [], in_stock: true, available: 7 },
};
const product = {
  ...{ id: NEW_ID, name: 'Sepatu Lari Nusa Hitam 42', slug: 'sepatu-lari-nusa-hitam-42', kind: 'physical' },
  ...{ category: { name: 'Sepatu', slug: 'sepatu' }, description: 'Ringan, untuk lari harian.', options: [] },
  ...{ price_min: 250_000, price_max: 250_000, in_stock: true, images: [], variants: [variant] },
};

export const storefrontExamples = {
  list: succeeds('all that is on sale', [product], { meta: onlyPage(1) }),
} as const;
