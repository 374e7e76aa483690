import type { Example } from '@platform/http';
import { NEW_ID, noToken, refused, succeeded } from '../../../examples';

const missing = { message: 'Member not found', code: 'not_found' };

export const change: readonly Example[] = [
  succeeded(
    {
      user_id: NEW_ID,
      name: null,
      email: null,
      avatar_url: null,
      role: { id: 'warehouse', name: 'warehouse' },
      status: 'active',
    },
    { request: { role_id: 'warehouse' }, message: 'Member updated' },
  ),
  refused('somebody who is no member', { role_id: 'cs' }, 404, missing),
  noToken({ role_id: 'cs' }),
];

export const remove: readonly Example[] = [
  succeeded(null, { message: 'Member deleted' }),
  refused('somebody who is no member', undefined, 404, missing),
  noToken(),
];
