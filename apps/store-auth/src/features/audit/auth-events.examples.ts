import type { Example } from '@platform/http';

export const authEventsExamples: readonly Example[] = [
  {
    summary: 'nothing happened there',
    request: { store_id: 'no such store' },
    status: 200,
    response: { status: 'success', message: 'riwayat', data: { items: [], next_cursor: null } },
  },
];
