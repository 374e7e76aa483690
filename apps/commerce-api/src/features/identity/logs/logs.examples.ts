import type { Example } from '@platform/http';
import { noToken } from '../../../examples';

export const activityExamples: readonly Example[] = [
  {
    summary: 'nothing was done in that month',
    request: { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' },
    status: 200,
    response: { status: 'success', message: 'OK', data: [], meta: { next_cursor: null } },
  },
  noToken(),
];

export const loginExamples: readonly Example[] = [
  {
    summary: 'one login',
    status: 200,
    response: {
      status: 'success',
      message: 'OK',
      data: [
        {
          at: '2026-03-01T07:00:00.000Z',
          ip: '203.0.113.7',
          agent: 'a browser',
          result: 'login',
          session_current: false,
        },
      ],
      meta: { next_cursor: null },
    },
  },
  noToken(),
];
