import type { Example } from '@platform/http';
import { success } from '../../success';

export const createUserExamples: readonly Example[] = [
  {
    summary: 'somebody else has this e-mail',
    request: {
      user_id: '0190b5a0-0000-7000-8000-00000000fffe',
      email: 'owner@toko-nusa.example',
      password: 'correct horse battery',
      nama: 'Sari',
    },
    status: 409,
    response: { status: 'error', message: 'email sudah terdaftar', code: 'email_taken' },
  },
  {
    summary: 'a password that everybody tries first',
    request: {
      user_id: '0190b5a0-0000-7000-8000-00000000fffe',
      email: 'new@toko-nusa.example',
      password: 'Password1',
      nama: 'Sari',
    },
    status: 422,
    response: {
      errors: [
        {
          field: 'password',
          tag: 'common',
          message: 'password is one that many people use: choose another one',
        },
      ],
    },
  },
];

export const findUsersExamples: readonly Example[] = [
  {
    summary: 'nobody',
    request: { email: 'nobody@toko-nusa.example' },
    status: 200,
    response: success('pengguna', { users: [], next_cursor: null }),
  },
];

export const changeUserExamples: readonly Example[] = [
  {
    summary: 'changed',
    request: { nama: 'Sari' },
    status: 200,
    response: success('pengguna diubah', {
      user: {
        user_id: '<uuid>',
        email: 'owner@toko-nusa.example',
        nama: 'Sari',
        phone: null,
        locale: 'id',
        timezone: 'Asia/Jakarta',
        email_verified: true,
        phone_verified: false,
        two_factor: false,
        status: 'active',
      },
    }),
  },
];
