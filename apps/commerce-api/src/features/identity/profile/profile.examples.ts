import type { Example } from '@platform/http';
import { invalid, noToken, refused, succeeded } from '../../../examples';
import { systemRoles } from '../../../roles';

const PASSWORD = 'a good passphrase';

const user = {
  id: '0199f7a0-0000-7000-8000-000000000001',
  name: 'Sari',
  email: 'owner@toko-nusa.example',
  phone: null,
  locale: 'id',
  timezone: 'Asia/Jakarta',
  avatar_url: null,
  email_verified: true,
  phone_verified: false,
  two_factor: false,
};
const store = { id: 'S1', name: 'Toko Nusa', slug: 'toko-nusa', status: 'open' };
const role = { id: 'owner', name: 'owner' };

export const me: readonly Example[] = [
  succeeded({ user, store, role, abilities: [...systemRoles.owner].sort(), plan: null, unread_notifications: 0 }),
  noToken(),
];

export const profile: readonly Example[] = [succeeded(user), noToken()];

const changed = { request: { locale: 'id', timezone: 'Asia/Jakarta' }, message: 'Profile updated' };
export const profileChange: readonly Example[] = [
  succeeded(user, changed),
  invalid(
    'a time zone that nobody knows',
    { timezone: 'Mars/Olympus' },
    'timezone',
    'timezone must be a known time zone',
  ),
  noToken(changed.request),
];

export const password: readonly Example[] = [
  invalid(
    'the current one is wrong',
    { current_password: 'a wrong passphrase', password: 'another good passphrase' },
    'current_password',
    'current_password is wrong',
  ),
  succeeded(null, { request: { current_password: PASSWORD, password: PASSWORD }, message: 'Password updated' }),
  noToken({ current_password: PASSWORD, password: PASSWORD }),
];

export const avatar: readonly Example[] = [
  invalid('without a picture', {}, 'file', 'file is a required field'),
  noToken(),
];

export const stores: readonly Example[] = [succeeded([{ store, role, status: 'active' }]), noToken()];

export const enrolment: readonly Example[] = [
  succeeded({ secret: '<secret>', otpauth_url: '<address>', qr_svg: '<picture>' }, { request: { password: PASSWORD } }),
  invalid('a wrong password', { password: 'a wrong passphrase' }, 'password', 'password is wrong'),
  noToken({ password: PASSWORD }),
];

export const confirmation: readonly Example[] = [
  invalid('a wrong code', { code: '000000' }, 'code', 'code is wrong'),
  succeeded(
    { recovery_codes: Array.from({ length: 10 }, () => '<recovery code>') },
    { request: { code: '123456' }, message: 'Two-factor sign-in is on' },
  ),
  noToken({ code: '123456' }),
];

const lastProof = { password: PASSWORD, code: '123456' };
export const turnedOff: readonly Example[] = [
  succeeded(null, { request: lastProof, message: 'Two-factor sign-in is off' }),
  refused('it is off', lastProof, 409, { message: 'Two-factor sign-in is off', code: 'two_factor_off' }),
  noToken(lastProof),
];
