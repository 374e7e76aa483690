import type { Example } from '@platform/http';
import { invalid, NEW_ID, noToken, refused, succeeded } from '../../../examples';

const role = { id: 'cs', name: 'cs' };
const wanted = { email: 'budi@toko-nusa.example', role_id: 'cs' };
const shown = {
  ...{ id: NEW_ID, email: wanted.email, role, status: 'invited' },
  expires_at: '2026-03-08T08:00:00.000Z',
};
const owner = {
  ...{ user_id: '0199f7a0-0000-7000-8000-000000000001', name: 'Sari', email: 'owner@toko-nusa.example' },
  ...{ avatar_url: null, role: { id: 'owner', name: 'owner' }, status: 'active' },
};
const missing = { message: 'Invitation not found', code: 'not_found' };

const member = {
  ...{ user_id: NEW_ID, name: null, email: null, avatar_url: null },
  ...{ role: { id: 'cs', name: 'cs' }, status: 'active' },
};

export const list: readonly Example[] = [succeeded({ members: [owner, member], invitations: [] }), noToken()];

export const invite: readonly Example[] = [
  succeeded(shown, { request: wanted, status: 201, message: 'Invitation created' }),
  refused('invited already', wanted, 409, {
    message: 'This address is invited already: send the invitation again',
    code: 'already_invited',
  }),
  refused('works here already', { ...wanted, email: owner.email }, 409, {
    message: 'This person works here already',
    code: 'already_member',
  }),
  invalid(
    'a role that nobody gives',
    { ...wanted, role_id: 'owner' },
    'role_id',
    'role_id must be a role that a member can have',
  ),
  noToken(wanted),
];

export const resend: readonly Example[] = [refused('one that nobody has', undefined, 404, missing), noToken()];

export const withdraw: readonly Example[] = [refused('one that nobody has', undefined, 404, missing), noToken()];

const followed = { token: '<token>', password: 'a good passphrase', name: 'Budi' };

export const accept: readonly Example[] = [
  refused('used, withdrawn or too old', followed, 410, {
    message: 'The link has expired or was withdrawn',
    code: 'expired',
  }),
];
