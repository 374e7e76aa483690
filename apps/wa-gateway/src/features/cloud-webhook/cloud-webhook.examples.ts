import type { Example } from '@platform/http';

export const verifyExamples: readonly Example[] = [
  {
    summary: 'somebody else',
    status: 403,
    response: {
      success: false,
      message: 'the verify token is not known here',
      error: { code: 'FORBIDDEN', retryable: false },
    },
  },
];
