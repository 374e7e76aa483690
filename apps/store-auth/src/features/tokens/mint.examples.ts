import type { Example } from '@platform/http';
import { success } from '../../success';

export const createTokenExamples: readonly Example[] = [
  {
    summary: 'access',
    request: {},
    status: 200,
    response: success('token dibuat', { email: 'owner@toko-nusa.example', token: '<access token>', expires_in: 3600 }),
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
