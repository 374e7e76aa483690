import type { Example } from '@platform/http';
import { invalid, NEW_ID, noToken, refused, succeeded } from '../../../examples';

const made = { created_by: { id: '0199f7a0-0000-7000-8000-000000000001', name: 'Sari' }, works: true };
const wanted = { name: 'Kasir', abilities: ['product.read', 'order.read'] };

export const list: readonly Example[] = [
  succeeded([
    {
      id: NEW_ID,
      name: 'Kasir',
      last4: '<last4>',
      abilities: ['product.read'],
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      ...made,
    },
  ]),
  noToken(),
];

export const create: readonly Example[] = [
  succeeded(
    {
      id: NEW_ID,
      name: 'Kasir',
      last4: '<last4>',
      abilities: ['product.read', 'order.read'],
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      ...made,
      token: '<token>',
    },
    { request: wanted, status: 201, message: 'API token created' },
  ),
  invalid(
    'what only a person may do',
    { name: 'Kasir', abilities: ['team.manage'] },
    'abilities.0',
    'abilities[0] must be an ability that an API token can have',
  ),
  noToken(wanted),
];

export const revoke: readonly Example[] = [
  succeeded(null, { message: 'API token deleted' }),
  refused('one that nobody has', undefined, 404, { message: 'API token not found', code: 'not_found' }),
  noToken(),
];
