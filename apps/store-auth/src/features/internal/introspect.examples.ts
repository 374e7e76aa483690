import type { Example } from '@platform/http';

export const introspectExamples: readonly Example[] = [
  {
    summary: 'expired, revoked or never ours',
    request: { token: 'no.such.token' },
    status: 200,
    response: { status: 'success', message: 'token diperiksa', data: { active: false } },
  },
];
