import type { Example } from '@platform/http';

const LAST_OWNER = {
  summary: 'a store needs an owner',
  status: 409,
  response: { status: 'error', message: 'toko harus memiliki pemilik', code: 'last_owner' },
};

export const storesExamples: readonly Example[] = [
  {
    summary: 'stored',
    request: { nama: 'Toko Nusa', status: 'open' },
    status: 200,
    response: { status: 'success', message: 'toko disimpan' },
  },
];

export const putMembersExamples: readonly Example[] = [
  {
    ...LAST_OWNER,
    request: { role: 'agent', teams: [], status: 'active', updated_at: '2100-01-01T00:00:00Z' },
  },
];

export const deleteMembersExamples: readonly Example[] = [{ ...LAST_OWNER, request: {} }];
