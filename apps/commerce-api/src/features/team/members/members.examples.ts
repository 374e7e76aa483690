import type { Example } from '@platform/http';
import { noToken, refused } from '../../../examples';

const missing = { message: 'Member not found', code: 'not_found' };

export const change: readonly Example[] = [
  refused('somebody who is no member', { role_id: 'cs' }, 404, missing),
  noToken({ role_id: 'cs' }),
];

export const remove: readonly Example[] = [refused('somebody who is no member', undefined, 404, missing), noToken()];
