import type { Example } from '@platform/http';

const next = { access_token: 'the-next-token', token_type: 'Bearer', expires_in: 3600 };

const nobody = (request?: object): Example => ({
  summary: 'no token',
  request,
  status: 401,
  response: { status: 'error', message: 'Unauthenticated', code: 'unauthenticated' },
});

export const refreshExamples: readonly Example[] = [{ summary: 'refreshed', status: 200, response: next }, nobody()];

export const switchStoreExamples: readonly Example[] = [
  { summary: 'switched', request: { store_id: 'S1' }, status: 200, response: next },
  {
    summary: "somebody else's store",
    request: { store_id: 'S2' },
    status: 403,
    response: { status: 'error', message: 'You are not an active member of this store', code: 'forbidden' },
  },
  nobody({ store_id: 'S1' }),
];

export const logoutExamples: readonly Example[] = [
  { summary: 'signed out', status: 200, response: { status: 'success', message: 'Logged out', data: null } },
  nobody(),
];

export const smokeTestExamples: readonly Example[] = [
  {
    summary: 'it works',
    status: 200,
    response: {
      status: 'success',
      message: 'authenticated',
      data: {
        user_id: '0199f7a0-0000-7000-8000-000000000001',
        store_id: 'S1',
        role: 'owner',
        expires_at: '2026-03-01T09:00:00.000Z',
      },
    },
  },
  nobody(),
];
