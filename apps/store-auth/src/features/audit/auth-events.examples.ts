import type { Example } from '@platform/http';
import { success } from '../../success';

export const authEventsExamples: readonly Example[] = [
  {
    summary: 'nothing happened there',
    request: { store_id: 'no such store' },
    status: 200,
    response: success('riwayat', { items: [], next_cursor: null }),
  },
];
