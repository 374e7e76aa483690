import { onlyPage, succeeds } from '../../../examples';

const body = {
  name: 'Gudang Bandung',
  phone: '6281234567890',
  address: { line: 'Jl. Merdeka 7', city: 'Bandung', postcode: '40111' },
};
const warehouse = { id: '0199f7a0-0000-7000-8000-000000000101', ...body, is_default: false, status: 'active' };
const variant_id = 'd34172d1-eebf-56de-8cd2-a7a15cabb530';

export const warehouseExamples = {
  list: succeeds('all of a store', [warehouse], { meta: onlyPage(1) }),
  create: succeeds('a second one', warehouse, { status: 201, message: 'Warehouse created', request: body }),
  change: succeeds('with another name', warehouse, { message: 'Warehouse updated', request: body }),
  close: succeeds('an empty one', null, { message: 'Warehouse deleted' }),
  makeDefault: succeeds('in place of another', { ...warehouse, is_default: true }, { message: 'Warehouse updated' }),
  stock: succeeds(
    'what is running out',
    [
      {
        ...{ variant_id, product_id: '03062e60-9585-5b91-9bb8-8a15c3f2cfbc', sku: 'SEPATU-HITAM-42' },
        ...{ name: 'Sepatu Lari Nusa Hitam 42', on_hand: 7, reserved: 3, incoming: 0, available: 4 },
      },
    ],
    { meta: onlyPage(1) },
  ),
  count: succeeds(
    'one piece was missing',
    {
      changed: [
        {
          ...{ id: '0199f7a0-0000-7000-8000-000000000102', at: '2026-03-01T08:00:00.000Z', variant_id },
          ...{ warehouse_id: warehouse.id, delta_on_hand: -1, delta_reserved: 0, reason: 'count', ref: null },
          ...{ actor: '0199f7a0-0000-7000-8000-000000000001', note: 'Opname Maret' },
        },
      ],
    },
    { message: 'Stock counted', request: { lines: [{ variant_id, counted: 6 }], note: 'Opname Maret' } },
  ),
} as const;
