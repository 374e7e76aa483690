import type { Example } from '@platform/http';
import { success } from '../../success';

export const setEmailSessionExamples: readonly Example[] = [
  {
    summary: 'kept',
    request: { email: 'Owner@toko-nusa.example' },
    status: 200,
    response: success('email tersimpan', { email: 'owner@toko-nusa.example' }),
  },
];

export const removeRefererSessionExamples: readonly Example[] = [
  { summary: 'also without a session', status: 200, response: { status: 'success', message: 'referer dihapus' } },
];
