import { succeeds } from '../../../examples';

const shoes = {
  ...{ id: '0199f7a0-0000-7000-8000-000000000201', parent_id: null, name: 'Sepatu', slug: 'sepatu', position: 0 },
  ...{ products: 0, children: [] },
};

export const categoryExamples = {
  tree: succeeds('one category', [shoes]),
  create: succeeds('at the top', shoes, { status: 201, message: 'Category created', request: { name: 'Sepatu' } }),
  change: succeeds('another name', shoes, { message: 'Category updated', request: { name: 'Sepatu' } }),
  delete: succeeds('an empty one', null, { message: 'Category deleted' }),
  order: succeeds('to the top', [shoes], {
    message: 'Categories updated',
    request: { items: [{ id: shoes.id, position: 0 }] },
  }),
} as const;
