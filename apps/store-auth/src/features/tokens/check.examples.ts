import type { Example } from '@platform/http';

export const checkExamples: readonly Example[] = [
  {
    summary: 'malformed, forged, revoked or for somebody else',
    request: { token: 'no.such.token' },
    status: 401,
    response: { status: 'invalid', message: 'token tidak valid' },
  },
  {
    summary: 'no token at all',
    request: {},
    status: 422,
    response: { errors: [{ field: 'token', tag: 'required', message: 'token is a required field' }] },
  },
];
