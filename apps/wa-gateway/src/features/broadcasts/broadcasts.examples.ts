import type { Example } from '@platform/http';
import { invalid, required, unknown } from '../../refused.examples';

export const sendBroadcastExamples: readonly Example[] = [
  {
    summary: 'nobody to send to',
    request: { text: 'Halo' },
    status: 422,
    response: required('numbers'),
  },
  {
    summary: 'nothing to send',
    request: { numbers: ['08123456789'] },
    status: 422,
    response: required('text'),
  },
  {
    summary: 'pauses that end before they begin',
    request: { numbers: ['08123456789'], text: 'Halo', delay_min: 9, delay_max: 4 },
    status: 422,
    response: invalid('delay_max', 'format'),
  },
];

export const progressExamples: readonly Example[] = [
  { summary: 'no such broadcast', status: 404, response: unknown('broadcast') },
];

export const commandExamples: readonly Example[] = [
  {
    summary: 'no such action',
    request: { action: 'explode' },
    status: 422,
    response: invalid('action', 'oneof'),
  },
  { summary: 'no such broadcast', request: { action: 'pause' }, status: 404, response: unknown('broadcast') },
];
