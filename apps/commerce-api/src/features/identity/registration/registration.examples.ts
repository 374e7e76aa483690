import type { Example } from '@platform/http';
import { invalid, NEW_ID, ok, succeeded } from '../../../examples';

const wanted = {
  name: 'Budi',
  email: 'budi@toko-baru.example',
  phone: '6281234567890',
  password: 'a good passphrase',
  store_name: 'Toko Baru',
};

export const register: readonly Example[] = [
  succeeded(
    {
      user: {
        id: NEW_ID,
        name: 'Budi',
        email: 'budi@toko-baru.example',
        phone: '6281234567890',
        locale: 'id',
        timezone: 'Asia/Jakarta',
        avatar_url: null,
        email_verified: false,
        phone_verified: false,
        two_factor: false,
      },
      store: { id: '<id>', name: 'Toko Baru', slug: 'toko-baru', status: 'open' },
      verification: { channel: 'email', expires_in: 86_400 },
    },
    { request: wanted, status: 201, message: 'Account created' },
  ),
  invalid(
    'the address is registered',
    { ...wanted, email: 'owner@toko-nusa.example' },
    'email',
    'email is registered already',
  ),
  invalid(
    'a password that everybody tries first',
    { ...wanted, email: 'siti@toko-baru.example', password: 'password1' },
    'password',
    'password is too short, or one that many people use: choose another one',
  ),
];

const proof = { email: 'budi@toko-baru.example', code: 'ABCDE23456' };
export const verify: readonly Example[] = [
  invalid('a wrong code', proof, 'code', 'code is wrong or has expired'),
  succeeded({ verified: true }, { request: { ...proof, code: '<code>' }, message: 'Email confirmed' }),
];

export const resend: readonly Example[] = [
  {
    summary: 'whoever asks',
    request: { email: 'budi@toko-baru.example' },
    status: 200,
    response: ok(null, 'If the address is registered, a message is on its way'),
  },
];

const token = '0199f7a0-0000-7000-8000-0000000000ff.ABCDE23456';
export const reset: readonly Example[] = [
  succeeded(null, {
    request: { token: '<token>', password: 'another good passphrase' },
    message: 'Password updated',
  }),
  invalid(
    'a token that nobody was sent',
    { token, password: 'a good passphrase' },
    'token',
    'token is wrong or has expired',
  ),
];
