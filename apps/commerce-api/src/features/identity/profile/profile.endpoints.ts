import { dataOf, done, type Endpoint } from '@platform/http';
import { endpoint as ofService } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { FORM_MARGIN, mediaRefusals } from '../../media/uploads/public';
import {
  AVATAR_LIMIT,
  Enrolment,
  FirstCode,
  LastProof,
  Me,
  MyStoresAnswer,
  PasswordChange,
  PasswordProof,
  ProfileChange,
  RecoveryCodes,
  UserView,
} from './profile.dto';
import * as examples from './profile.examples';
import type { ProfileService } from './profile.service';

const endpoint = ofService.withDefaults({
  tag: 'Authentication and user',
  unknownKeys: 'refuse',
  refuses: ['upstreamFailed'],
});

const account = (profile: ProfileService): Endpoint[] => [
  endpoint({
    get: '/api/auth/me',
    summary: 'Who I am, in which store, and what I may do there',
    guard: 'login',
    reply: dataOf(Me),
    refuses: ['notFound', refusals.notAMember],
    examples: examples.me,
    handle: ({ caller }) => profile.me(caller),
  }),
  endpoint({
    get: '/api/profile',
    summary: 'My profile',
    guard: 'person',
    reply: dataOf(UserView),
    refuses: ['notFound'],
    examples: examples.profile,
    handle: ({ caller }) => profile.show(caller),
  }),
  endpoint({
    post: '/api/profile/avatar',
    summary: 'Replace my picture',
    description: 'A JPEG, PNG or WebP, by its first bytes.',
    guard: 'person',
    accepts: ['multipart', 'json'],
    files: { file: { maxBytes: AVATAR_LIMIT } },
    formLimit: AVATAR_LIMIT + FORM_MARGIN,
    reply: dataOf(UserView, 'Profile updated'),
    refuses: ['notFound', mediaRefusals.wrongType, refusals.planLimit],
    examples: examples.avatar,
    handle: ({ caller, files }) => profile.portray(caller, files[0]),
  }),
  endpoint({
    put: '/api/profile',
    summary: 'Change my name, phone, language, time zone',
    guard: 'person',
    body: ProfileChange,
    reply: dataOf(UserView, 'Profile updated'),
    refuses: ['notFound'],
    examples: examples.profileChange,
    handle: ({ caller, body }) => profile.change(caller, body),
  }),
  endpoint({
    put: '/api/profile/password',
    summary: 'Another password; my other logins end',
    guard: 'person',
    body: PasswordChange,
    reply: done('Password updated'),
    refuses: ['notFound', 'tooMany'],
    examples: examples.password,
    handle: ({ caller, body }) => profile.changePassword(caller, body),
  }),
  endpoint({
    get: '/api/profile/stores',
    summary: 'The stores I belong to',
    guard: 'person',
    reply: MyStoresAnswer,
    examples: examples.stores,
    handle: async ({ caller }) => ({ data: await profile.stores(caller) }),
  }),
];

const secondFactor = (profile: ProfileService): Endpoint[] => [
  endpoint({
    post: '/api/profile/two-factor',
    summary: 'Begins an authenticator: a secret to scan',
    guard: 'person',
    body: PasswordProof,
    reply: dataOf(Enrolment),
    refuses: ['notFound', refusals.twoFactorOn, 'tooMany'],
    examples: examples.enrolment,
    handle: ({ caller, body }) => profile.beginSecondFactor(caller, body.password),
  }),
  endpoint({
    post: '/api/profile/two-factor/confirm',
    summary: 'Turns the authenticator on with its first code',
    guard: 'person',
    body: FirstCode,
    reply: dataOf(RecoveryCodes, 'Two-factor sign-in is on'),
    refuses: ['notFound', refusals.twoFactorOn, refusals.twoFactorNotBegun],
    examples: examples.confirmation,
    handle: async ({ caller, body }) => ({ recovery_codes: await profile.confirmSecondFactor(caller, body.code) }),
  }),
  endpoint({
    delete: '/api/profile/two-factor',
    summary: 'Turns the authenticator off',
    guard: 'person',
    body: LastProof,
    reply: done('Two-factor sign-in is off'),
    refuses: ['notFound', refusals.twoFactorOff, 'tooMany'],
    examples: examples.turnedOff,
    handle: ({ caller, body }) => profile.endSecondFactor(caller, body),
  }),
];

/** What belongs to the user, in whichever store they are. */
export const profileEndpoints = (profile: ProfileService): Endpoint[] => [
  ...account(profile),
  ...secondFactor(profile),
];
