import type { Example } from '@platform/http';

export const passwordExamples: readonly Example[] = [
  {
    summary: 'the current password is wrong',
    request: { password: 'another good password', current_password: 'wrong' },
    status: 401,
    response: { status: 'error', message: 'password salah', code: 'password_invalid' },
  },
];
