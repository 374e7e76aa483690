import type { Example } from '@platform/http';
import { success } from '../../success';

export const revokeExamples: readonly Example[] = [
  {
    summary: 'ended already, or never begun',
    request: { sid: 'no such login' },
    status: 200,
    response: success('token dicabut', { revoked: 0 }),
  },
];
