import type { Example } from '@platform/http';
import { success } from '../../success';

export const verificationCodesExamples: readonly Example[] = [
  {
    summary: 'nobody has this e-mail',
    request: { email: 'nobody@toko-nusa.example', purpose: 'reset_password' },
    status: 200,
    response: success('kode dibuat', { code_id: '<uuid>', code: '<code>', expires_in: 3600, deliver: false }),
  },
];

export const consumeExamples: readonly Example[] = [
  {
    summary: 'wrong, used, expired or tried too often',
    request: { token: '0190b5a0-0000-7000-8000-00000000ffff.NOSUCHCODE', purpose: 'verify_email' },
    status: 401,
    response: { status: 'error', message: 'kode tidak berlaku', code: 'code_invalid' },
  },
];
