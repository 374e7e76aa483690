import { onlyPage, succeeds } from '../../../examples';

const body = { kind: 'flat', name: 'Kurir toko', cost: 15_000, free_over: 300_000, areas: ['Bandung', 'Cimahi'] };
const method = { id: '0199f7a0-0000-7000-8000-000000000401', ...body, max_weight_g: null, active: true };

export const methodExamples = {
  list: succeeds('all of a store', [method], { meta: onlyPage(1) }),
  create: succeeds('within the city', method, { status: 201, message: 'Shipping method created', request: body }),
  change: succeeds(
    'paused',
    { ...method, active: false },
    { message: 'Shipping method updated', request: { ...body, active: false } },
  ),
  remove: succeeds('one that is not offered any more', null, { message: 'Shipping method deleted' }),
} as const;
