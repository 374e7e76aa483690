import type { Example } from '@platform/http';
import { success } from '../../success';

export const eventsExamples: readonly Example[] = [
  {
    summary: 'nothing new',
    request: { since: '0' },
    status: 200,
    response: success('peristiwa', { items: [], cursor: '0' }),
  },
];
