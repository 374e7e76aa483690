import { onlyPage, succeeds } from '../../../examples';

const ID = '0199f7a0-0000-7000-8000-000000000711';
const row = {
  ...{ id: ID, name: 'Budi', phone: '6281234567890', email: 'budi@example.com', birthday: '1990-05-17' },
  ...{ source: 'toko', tags: [{ id: '0199f7a0-0000-7000-8000-000000000701', name: 'VIP', color: null }] },
  ...{ custom: { ukuran: 42 }, blocked: false, opted_out: false, orders_count: 2, spent: 500_000 },
  ...{ last_order_at: '2026-02-20T03:00:00.000Z', created_at: '2026-01-05T03:00:00.000Z' },
};
export const budi = {
  ...row,
  addresses: [{ id: '0199f7a0-0000-7000-8000-000000000721', name: 'Rumah', line: 'Jl. Merdeka 7', city: 'Bandung' }],
  notes: [
    {
      ...{ id: '0199f7a0-0000-7000-8000-000000000731', text: 'Minta dikirim sore', author: 'Sari' },
      created_at: '2026-02-01T03:00:00.000Z',
    },
  ],
};
const fresh = { orders_count: 0, spent: 0, last_order_at: null, addresses: [], notes: [] };
const wanted = {
  ...{ name: 'Budi', phone: '6281234567890', email: 'budi@example.com', birthday: '1990-05-17', source: 'toko' },
  ...{ tags: ['VIP'], custom: { ukuran: 42 } },
};

export const contactExamples = {
  list: succeeds('one contact', [row], { meta: onlyPage(1) }),
  find: succeeds('with an address and a note', budi),
  create: succeeds('with a tag', { ...budi, ...fresh }, { status: 201, message: 'Contact created', request: wanted }),
  change: succeeds('another name', budi, { message: 'Contact updated', request: { name: 'Budi' } }),
  remove: succeeds('with everything', null, { message: 'Contact deleted' }),
} as const;
