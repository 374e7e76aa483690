import { succeeds } from '../../../examples';

const image = {
  ...{ id: '0199f7a0-0000-7000-8000-000000000301', position: 0 },
  url: 'https://shop.example/blob/S1/0199f7a0-0000-7000-8000-000000000402.jpg',
};
const product_id = '03062e60-9585-5b91-9bb8-8a15c3f2cfbc';
const one = { product_id, images: [image] };

export const imageExamples = {
  add: succeeds('one that was uploaded before', one, {
    status: 201,
    message: 'Pictures added',
    request: { media_ids: ['0199f7a0-0000-7000-8000-000000000401'] },
  }),
  order: succeeds('the only one', one, { message: 'Pictures updated', request: { ids: [image.id] } }),
  remove: succeeds('the last one', { product_id, images: [] }, { message: 'Picture removed' }),
} as const;
