import type { Example } from '@platform/http';

export const createTokenExamples: readonly Example[] = [
  {
    summary: 'access',
    request: {},
    status: 200,
    response: {
      status: 'success',
      message: 'token dibuat',
      data: { email: 'owner@toko-nusa.example', token: '<access token>', expires_in: 3600 },
    },
  },
];

export const refreshExamples: readonly Example[] = [
  {
    summary: 'unknown, used or expired',
    request: { refresh_token: 'unknown' },
    status: 401,
    response: { status: 'invalid', message: 'token tidak valid' },
  },
];
