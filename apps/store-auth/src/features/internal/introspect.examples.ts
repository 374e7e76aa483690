import type { Example } from '@platform/http';
import { success } from '../../success';

export const introspectExamples: readonly Example[] = [
  {
    summary: 'expired, revoked or never ours',
    request: { token: 'no.such.token' },
    status: 200,
    response: success('token diperiksa', { active: false }),
  },
];
