import type { Example } from '@platform/http';
import { success } from '../../success';

export const loginExamples: readonly Example[] = [
  {
    summary: 'right',
    request: { email: 'owner@toko-nusa.example', password: 'correct horse battery' },
    status: 200,
    response: success('login berhasil', {
      email: 'owner@toko-nusa.example',
      token: '<access token>',
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: '<refresh token>',
      store_id: 'S1',
      role: 'owner',
    }),
  },
  {
    summary: 'unknown, wrong or disabled',
    request: { email: 'nobody@toko-nusa.example', password: 'correct horse battery' },
    status: 401,
    response: { status: 'error', message: 'email atau password salah' },
  },
  {
    summary: 'incomplete',
    request: {},
    status: 422,
    response: {
      errors: [
        { field: 'email', tag: 'required', message: 'email is a required field' },
        { field: 'password', tag: 'required', message: 'password is a required field' },
      ],
    },
  },
];
