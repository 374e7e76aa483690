import type { Example } from '@platform/http';

const credentials = { email: 'owner@toko-nusa.example', password: 'a good passphrase' };

export const loginExamples: Example[] = [
  {
    summary: 'signed in',
    request: credentials,
    status: 200,
    response: { access_token: 'the-access-token', token_type: 'Bearer', expires_in: 3600 },
  },
  {
    summary: 'a second factor is needed',
    request: { ...credentials, email: 'two-factor@toko-nusa.example' },
    status: 200,
    response: { two_factor: true, challenge: 'two-factor@toko-nusa.example', expires_in: 300 },
  },
  {
    summary: 'unknown, wrong or disabled',
    request: { ...credentials, password: 'a wrong passphrase' },
    status: 401,
    response: { status: 'error', message: 'Email or password is wrong', code: 'bad_credentials' },
  },
  {
    summary: 'a field is missing',
    request: { email: 'owner@toko-nusa.example' },
    status: 422,
    response: {
      status: 'error',
      message: 'password is a required field',
      code: 'validation',
      errors: { password: ['password is a required field'] },
    },
  },
];

export const twoFactorExamples: Example[] = [
  {
    summary: 'signed in',
    request: { challenge: 'two-factor@toko-nusa.example', code: '123456' },
    status: 200,
    response: { access_token: 'the-access-token', token_type: 'Bearer', expires_in: 3600 },
  },
  {
    summary: 'a wrong code',
    request: { challenge: 'two-factor@toko-nusa.example', code: '000000' },
    status: 422,
    response: {
      status: 'error',
      message: 'code is wrong',
      code: 'validation',
      errors: { code: ['code is wrong'] },
    },
  },
];
