import type { Example } from '@platform/http';
import { success } from '../../success';

export const postTwoFactorExamples: readonly Example[] = [
  {
    summary: 'begun',
    request: { password: 'correct horse battery' },
    status: 200,
    response: success('verifikasi dua langkah dimulai', { secret: '<base32>', otpauth_url: '<otpauth://totp/...>' }),
  },
];

export const putTwoFactorExamples: readonly Example[] = [
  {
    summary: 'wrong code',
    request: { otp: 'wrong' },
    status: 401,
    response: { status: 'error', message: 'kode otp salah', code: 'otp_invalid' },
  },
];

export const deleteTwoFactorExamples: readonly Example[] = [
  {
    summary: 'not on',
    request: { otp: '123456' },
    status: 409,
    response: { status: 'error', message: 'verifikasi dua langkah tidak aktif', code: 'two_factor_off' },
  },
];
