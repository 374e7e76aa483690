import type { Claims } from '@platform/contracts';

/** The agent of the specs. */
export const SUBJECT = {
  aud: ['chat-backend'],
  sub: 'u1',
  store_id: 'S1',
  role: 'agent',
  teams: ['3'],
  email: 'a@example.com',
  sid: 'sid-1',
} as const;

/** Valid for an hour from `start`, in epoch seconds. */
export const claimsAt = (start: number, more: Partial<Claims> = {}): Claims => ({
  ...SUBJECT,
  iss: 'store-auth',
  aud: 'chat-backend',
  jti: 'jti-1',
  iat: start,
  nbf: start,
  exp: start + 3600,
  ...more,
});
