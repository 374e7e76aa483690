import type { Example } from '@platform/http';

export const revokeExamples: readonly Example[] = [
  {
    summary: 'ended already, or never begun',
    request: { sid: 'no such login' },
    status: 200,
    response: { status: 'success', message: 'token dicabut', data: { revoked: 0 } },
  },
];
