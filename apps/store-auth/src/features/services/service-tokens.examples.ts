import type { Example } from '@platform/http';
import { success } from '../../success';

export const serviceTokensExamples: readonly Example[] = [
  {
    summary: 'granted',
    request: { audience: 'chat-backend', store_id: 'S1' },
    status: 200,
    response: success('token dibuat', { access_token: '<service token>', token_type: 'Bearer', expires_in: 600 }),
  },
  {
    summary: 'an audience that this client may not have',
    request: { audience: 'ads-api' },
    status: 403,
    response: { status: 'error', message: 'audience tidak diizinkan', code: 'audience_not_allowed' },
  },
];
