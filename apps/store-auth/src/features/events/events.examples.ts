import type { Example } from '@platform/http';

export const eventsExamples: readonly Example[] = [
  {
    summary: 'nothing new',
    request: { since: '999999' },
    status: 200,
    response: { status: 'success', message: 'peristiwa', data: { items: [], cursor: '999999' } },
  },
];
