import type { Example } from '@platform/http';

export const checkStockProductsExamples: readonly Example[] = [
  {
    summary: 'nothing asked for',
    request: { products: [] },
    status: 422,
    response: { errors: [{ field: 'products', tag: 'min', message: 'products must contain at least 1 items' }] },
  },
];
