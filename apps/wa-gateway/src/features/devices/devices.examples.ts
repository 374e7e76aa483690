import type { Example } from '@platform/http';
import { invalid, unknown } from '../../refused.examples';

export const createDeviceExamples: readonly Example[] = [
  {
    summary: 'a receiver that is not on the list',
    request: { instanceID: 'toko-9', webhook_url: 'http://192.0.2.1/v1' },
    status: 422,
    response: invalid('webhook_url', 'allowed'),
  },
];

export const deviceInfoExamples: readonly Example[] = [
  {
    summary: 'nobody by that name',
    status: 404,
    response: unknown('device'),
  },
];
