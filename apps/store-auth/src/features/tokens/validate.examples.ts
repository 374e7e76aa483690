import type { Example } from '@platform/http';

export const validateTokenExamples: readonly Example[] = [
  {
    summary: 'malformed, forged, revoked, used up, or of another purpose',
    request: { token: 'no.such.token', purpose: 'preview' },
    status: 401,
    response: { status: 'invalid', message: 'token tidak valid' },
  },
];
