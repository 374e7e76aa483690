import type { ServiceTokens } from '@platform/auth';
import type { UserRole } from '@platform/contracts';
import { TooMany, Unavailable, Unexpected } from '@platform/errors';
import type { CallAnswer, HttpClient } from '@platform/http';

export interface Visitor {
  /** The end user's address, which store-auth's limits count. */
  readonly ip: string;
  readonly userAgent?: string;
}

export interface StoreMembership {
  readonly store_id: string;
  readonly role: UserRole;
  readonly status: 'active' | 'disabled';
}

/** Outcome of a password check; a good one carries the challenge that tokens are asked for with. */
export type CredentialsVerdict =
  | { readonly valid: false }
  | {
      readonly valid: true;
      readonly otp_required: boolean;
      readonly challenge: string;
      readonly user: { readonly user_id: string; readonly email: string; readonly email_verified: boolean };
      readonly memberships: readonly StoreMembership[];
    };

export interface AccessGrant {
  readonly access_token: string;
  readonly expires_in: number;
}

/** What this service asks of store-auth (its design 2.4). Every call throws `Unavailable` when store-auth is away. */
export interface IdentityClient {
  /** Throws `TooMany` with store-auth's own waiting time. */
  verifyCredentials(email: string, password: string, visitor: Visitor): Promise<CredentialsVerdict>;
  /** Undefined when the challenge does not lead to a login: it expired, or the user has no store. */
  redeemChallenge(challenge: string): Promise<AccessGrant | undefined>;
  /** The second factor to a challenge: six digits, or a recovery code. `gone`: the challenge is used up or expired. */
  verifySecondFactor(challenge: string, code: string): Promise<'right' | 'wrong' | 'gone'>;
  /** The next access token for the last one, which may have expired. Undefined: the login has ended. */
  refresh(token: string): Promise<AccessGrant | undefined>;
  /** The same login in another store of its user; undefined: the login has ended. */
  switchStore(token: string, storeId: string): Promise<AccessGrant | 'not_a_member' | undefined>;
  /** Ends the login that the token belongs to; repeating it changes nothing. */
  revoke(token: string): Promise<void>;
}

const TIMEOUT_MS = 3_000;
const USUAL_PAUSE_SECONDS = 60;
const TOKENS = '/internal/tokens';

interface Wire<T> {
  readonly data?: T;
  readonly code?: string;
}

const failureOf = (answer: CallAnswer, path: string): Error => {
  const { status, headers } = answer;
  const seconds = Number(headers['retry-after']) || USUAL_PAUSE_SECONDS;
  if (status === 429) return new TooMany('Too many attempts, please try again later', { retryAfterSeconds: seconds });
  const refusal = new Error(`store-auth answered ${status} to ${path}`);
  return status >= 500
    ? new Unavailable('Signing in is not possible at the moment', { cause: refusal, code: 'provider_error' })
    : new Unexpected('store-auth refused a call of ours', { cause: refusal });
};

/** With these store-auth refuses the user, as opposed to refusing us. */
const refusals = ['challenge_invalid', 'not_a_member', 'session_ended'] as const;
type Refusal = (typeof refusals)[number];
const isRefusal = (value: unknown): value is Refusal => (refusals as readonly unknown[]).includes(value);

/** One call: its data, or why the user is refused. */
type Ask = <T extends object>(path: string, json: object) => Promise<T | Refusal>;

const asking =
  (http: HttpClient, tokens: ServiceTokens): Ask =>
  async <T extends object>(path: string, json: object) => {
    const authorization = `Bearer ${await tokens.for('store-auth')}`;
    const answer = await http.call({ method: 'POST', path, json, timeoutMs: TIMEOUT_MS, headers: { authorization } });
    const { data, code } = answer.json<Wire<T>>() ?? {};
    if (answer.status === 200 && data !== undefined) return data;
    if (answer.status === 401 && isRefusal(code)) return code;
    throw failureOf(answer, path);
  };

/** Six digits are the authenticator's; anything else is one of the codes kept for the day it is lost. */
const secondProof = (code: string): object => (/^\d{6}$/.test(code) ? { otp: code } : { recovery_code: code });

const proving = (ask: Ask): Pick<IdentityClient, 'verifyCredentials' | 'verifySecondFactor' | 'revoke'> => ({
  verifyCredentials: async (email, password, { ip, userAgent }) => {
    const given = { email, password, ip, user_agent: userAgent };
    const verdict = await ask<CredentialsVerdict>('/internal/verify-credentials', given);
    return typeof verdict === 'string' ? { valid: false } : verdict;
  },
  verifySecondFactor: async (challenge, code) => {
    const given = { challenge, ...secondProof(code) };
    const verdict = await ask<{ valid: boolean }>('/internal/verify-otp', given);
    if (typeof verdict === 'string') return 'gone';
    return verdict.valid ? 'right' : 'wrong';
  },
  revoke: async (token) => {
    await ask('/internal/tokens/revoke', { token });
  },
});

/** store-auth over HTTP, with a service token of the audience `store-auth`. */
export const httpIdentityClient = (http: HttpClient, tokens: ServiceTokens): IdentityClient => {
  const ask = asking(http, tokens);
  const granted = async (wanted: object): Promise<AccessGrant | undefined> => {
    const grant = await ask<AccessGrant>(TOKENS, wanted);
    return typeof grant === 'string' ? undefined : grant;
  };
  return {
    ...proving(ask),
    redeemChallenge: (challenge) => granted({ grant: 'challenge', challenge, kind: 'jwt' }),
    refresh: (token) => granted({ grant: 'refresh', token }),
    switchStore: async (token, storeId) => {
      const grant = await ask<AccessGrant>(TOKENS, { grant: 'session', token, store_id: storeId });
      if (typeof grant === 'object' || grant === 'not_a_member') return grant;
      return undefined;
    },
  };
};
