import type { AccessGrant } from '../../../clients/store-auth.client';
import type { WebKit } from '../../../web/kit';
import { SESSION_COOKIE } from '../../../web/session.guard';
import { setCookie } from '../../../web/sessions/cookies';
import type { Guest } from '../../../web/viewer';

/** Between the password and the second factor. */
export const CHALLENGE_COOKIE = 'commerce_2fa';
const CHALLENGE_SECONDS = 300;

/** Somebody who has proved who they are. */
export interface SignedInPerson {
  readonly grant: AccessGrant;
  readonly userId: string;
  readonly storeId: string;
}

/** Whoever has given a password: signed in, or asked for a second factor. */
export type Proved = SignedInPerson | { readonly challenge: string };

/** What is said in a token, which store-auth has just made for us. */
const claimsOf = ({ access_token: token }: AccessGrant): { readonly sub: string; readonly store_id: string } => {
  const [, claims = ''] = token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sub: string; store_id: string };
};

export const personOf = (grant: AccessGrant): SignedInPerson => {
  const { sub, store_id } = claimsOf(grant);
  return { grant, userId: sub, storeId: store_id };
};

/** A new secret for whoever signs in; what the browser had before is forgotten. */
export const begun = async (
  { sessions, secure }: WebKit,
  person: SignedInPerson,
  { locale, browser }: Pick<Guest, 'locale' | 'browser'>,
) => {
  const secret = await sessions.begin({ ...person, locale, browser });
  return [setCookie(SESSION_COOKIE, secret, { secure }), setCookie(CHALLENGE_COOKIE, '', { secure, maxAge: 0 })];
};

/** Where somebody goes on who has given their password. */
export const goesOn = async (kit: WebKit, proved: Proved, { guest, next }: { guest: Guest; next: string }) => {
  if (!('challenge' in proved)) return { to: next, cookies: await begun(kit, proved, guest) };
  const cookie = setCookie(CHALLENGE_COOKIE, proved.challenge, { secure: kit.secure, maxAge: CHALLENGE_SECONDS });
  return { to: `/two-factor?next=${encodeURIComponent(next)}`, cookies: [cookie] };
};
