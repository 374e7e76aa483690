import type { Example } from '@platform/http';

const failure = (summary: string, status: number, message: string): Example => ({
  summary,
  status,
  response: { status: false, message, error: { retryable: false, request_id: 'example' } },
});

export const handshakeExamples: Example[] = [
  {
    summary: 'a new token',
    status: 200,
    response: {
      status: true,
      message: 'success',
      data: {
        access_token: 'gqjhmmDWs6k5hj3Y9vOYkM5UPWYRt0OLqVSRzJxPn3c',
        token_type: 'Bearer',
        expires_in: 900,
        expires_at: '2026-03-01T08:15:00.000Z',
      },
    },
  },
  failure('the timestamp is outside of the window', 400, 'Invalid Timestamp'),
  failure('the application is unknown or has no key', 404, 'Invalid app'),
  failure('the signature does not match', 404, 'Invalid Signature'),
];

/** What the two layers refuse, on every guarded route. */
export const layerExamples: Example[] = [
  failure('no live bearer', 401, '401 Unauthorized'),
  failure('the public-key header is not the key of the application', 401, 'Invalid Public Key'),
];

export const checkExamples: Example[] = [
  {
    summary: 'a live token',
    status: 200,
    response: {
      status: true,
      message: 'success',
      data: {
        application_id: '0199f7a0-0000-7000-8000-000000000001',
        name: 'Demo client',
        issued_at: '2026-03-01T08:00:00.000Z',
        expires_at: '2026-03-01T08:15:00.000Z',
        fingerprint: '5b0f6c1f0d2c4a3e8b7a9d6c5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f',
        topup_policy: 'trusted',
      },
    },
  },
  ...layerExamples,
];
