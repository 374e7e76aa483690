import type { Example } from '@platform/http';
import { success } from '../../success';

export const verifyCredentialsExamples: readonly Example[] = [
  {
    summary: 'unknown, wrong or disabled',
    request: { email: 'nobody@toko-nusa.example', password: 'wrong', ip: '203.0.113.7' },
    status: 200,
    response: success('kredensial diperiksa', { valid: false }),
  },
];

export const verifyOtpExamples: readonly Example[] = [
  {
    summary: 'unknown, used or expired challenge, or one that needs no second factor',
    request: { challenge: 'no such challenge', otp: '123456' },
    status: 401,
    response: { status: 'error', message: 'challenge tidak berlaku', code: 'challenge_invalid' },
  },
];

export const tokensExamples: readonly Example[] = [
  {
    summary: 'unknown, used or expired challenge',
    request: { grant: 'challenge', challenge: 'no such challenge' },
    status: 401,
    response: { status: 'error', message: 'challenge tidak berlaku', code: 'challenge_invalid' },
  },
  {
    summary: 'a login that has ended, or a token that was refreshed before',
    request: { grant: 'session', sid: 'no such login', store_id: 'S1' },
    status: 401,
    response: { status: 'error', message: 'sesi sudah berakhir', code: 'session_ended' },
  },
];
