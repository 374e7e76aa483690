import type { Example } from '@platform/http';

export const syncExamples: readonly Example[] = [
  {
    summary: 'nothing',
    request: {},
    status: 200,
    response: { result: true, message: 'success sync', data: { applied: 0, skipped: 0 } },
  },
];
