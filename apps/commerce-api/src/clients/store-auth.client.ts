import type { UserRole } from '@platform/contracts';
import { Forbidden, Gone } from '@platform/errors';
import { path } from '@platform/http';
import { unless, type Ask } from './store-auth.peer';

/** A user as store-auth keeps it. */
export interface Account {
  readonly user_id: string;
  readonly email: string;
  readonly nama: string;
  readonly phone: string | null;
  readonly locale: string;
  readonly timezone: string;
  readonly email_verified: boolean;
  readonly phone_verified: boolean;
  readonly two_factor: boolean;
}

export interface Visitor {
  /** The end user's address, by which store-auth limits logins. */
  readonly ip: string;
  readonly userAgent?: string;
}

export interface StoreMembership {
  readonly store_id: string;
  readonly role: UserRole;
  readonly status: 'active' | 'disabled';
}

/** Outcome of a password check; a good one carries the challenge that buys tokens. */
export type CredentialsVerdict =
  | { readonly valid: false }
  | {
      readonly valid: true;
      readonly otp_required: boolean;
      readonly challenge: string;
      readonly user: Account;
      readonly memberships: readonly StoreMembership[];
    };

export interface AccessGrant {
  readonly access_token: string;
  readonly expires_in: number;
}

/** What this service asks of store-auth (its design 2.4). Every call throws `Unavailable` when store-auth is down. */
export interface IdentityClient {
  /** Throws `TooMany` with the time that store-auth says to wait. */
  verifyCredentials(email: string, password: string, visitor: Visitor): Promise<CredentialsVerdict>;
  /** Into that store, or the one used last; logins of browsers are a kind of their own. Undefined: the challenge expired, or the user is no member there. */
  redeemChallenge(
    challenge: string,
    into?: { readonly storeId?: string; readonly kind?: 'web' | 'jwt' },
  ): Promise<AccessGrant | undefined>;
  /** The second factor to a challenge: six digits, or a recovery code. `gone`: the challenge is used up or expired. */
  verifySecondFactor(challenge: string, code: string): Promise<'right' | 'wrong' | 'gone'>;
  /** Exchanges the last access token, expired or not, for the next one. Undefined: the login has ended. */
  refresh(token: string): Promise<AccessGrant | undefined>;
  /** The same login in another store of its user; undefined: the login has ended. */
  switchStore(token: string, storeId: string): Promise<AccessGrant | 'not_a_member' | undefined>;
  /** Ends the login that the token belongs to; repeating it changes nothing. */
  revoke(token: string): Promise<void>;
}

const TOKENS = path('/internal/tokens');

/** Six digits are the authenticator's code; anything else is a recovery code. */
export const secondProof = (code: string): object => (/^\d{6}$/.test(code) ? { otp: code } : { recovery_code: code });

const proving = (ask: Ask): Pick<IdentityClient, 'verifyCredentials' | 'verifySecondFactor' | 'revoke'> => ({
  verifyCredentials: (email, password, { ip, userAgent }) =>
    ask<CredentialsVerdict>({
      path: path('/internal/verify-credentials'),
      json: { email, password, ip, user_agent: userAgent },
    }),
  verifySecondFactor: (challenge, code) =>
    ask<{ valid: boolean }>({ path: path('/internal/verify-otp'), json: { challenge, ...secondProof(code) } })
      .then(({ valid }) => (valid ? ('right' as const) : ('wrong' as const)))
      .catch(unless(Gone, 'gone' as const)),
  revoke: async (token) => {
    await ask({ path: path('/internal/tokens/revoke'), json: { token } }).catch(unless(Gone, undefined));
  },
});

/** Logins, at store-auth. */
export const httpIdentityClient = (ask: Ask): IdentityClient => {
  const granted = (json: object): Promise<AccessGrant | undefined> =>
    ask<AccessGrant>({ path: TOKENS, json }).catch(unless(Gone, undefined));
  return {
    ...proving(ask),
    redeemChallenge: (challenge, { storeId, kind = 'jwt' } = {}) =>
      granted({ grant: 'challenge', challenge, kind, store_id: storeId }).catch(unless(Forbidden, undefined)),
    refresh: (token) => granted({ grant: 'refresh', token }).catch(unless(Forbidden, undefined)),
    switchStore: (token, storeId) =>
      granted({ grant: 'session', token, store_id: storeId }).catch(unless(Forbidden, 'not_a_member' as const)),
  };
};
