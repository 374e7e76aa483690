import type { Example } from '@platform/http';

export const jwksExamples: readonly Example[] = [
  {
    summary: 'one key; more around a rotation',
    status: 200,
    response: { keys: [{ kty: 'RSA', n: '<modulus>', e: 'AQAB', kid: '<thumbprint>', use: 'sig', alg: 'RS256' }] },
  },
];
