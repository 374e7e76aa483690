import { onlyPage, succeeds } from '../../../examples';

const media = {
  ...{ id: '0199f7a0-0000-7000-8000-000000000401', name: 'sepatu.jpg', mime: 'image/jpeg', bytes: 48213 },
  ...{ url: 'https://shop.example/blob/<store>/<file>.jpg', width: null, height: null },
  ...{ purpose: 'product', refs: 0, created_at: '2026-03-01T08:00:00.000Z' },
};

export const uploadExamples = {
  upload: succeeds('a picture', media, { status: 201, message: 'File uploaded', request: { purpose: 'product' } }),
  list: succeeds('all of a store', [media], { meta: onlyPage(1) }),
  delete: succeeds('one that nothing shows', null, { message: 'File deleted' }),
} as const;
