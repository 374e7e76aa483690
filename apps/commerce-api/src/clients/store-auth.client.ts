import type { ServiceTokens } from '@platform/auth';
import type { UserRole } from '@platform/contracts';
import { TooMany, Unavailable, Unexpected } from '@platform/errors';
import type { CallAnswer, CallOptions, HttpClient } from '@platform/http';

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
}

const TIMEOUT_MS = 3_000;
const USUAL_PAUSE_SECONDS = 60;
/** Codes with which store-auth refuses a challenge, as opposed to refusing us. */
const REFUSED_CHALLENGE = new Set(['challenge_invalid', 'not_a_member']);

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

/** store-auth over HTTP, with a service token of the audience `store-auth`. */
export const httpIdentityClient = (http: HttpClient, tokens: ServiceTokens): IdentityClient => {
  const call = async (options: CallOptions): Promise<CallAnswer> => {
    const authorization = `Bearer ${await tokens.for('store-auth')}`;
    return http.call({ timeoutMs: TIMEOUT_MS, ...options, headers: { authorization } });
  };
  const dataOf = <T>(answer: CallAnswer, path: string): T => {
    const data = answer.status === 200 ? answer.json<Wire<T>>()?.data : undefined;
    if (data === undefined) throw failureOf(answer, path);
    return data;
  };
  return {
    verifyCredentials: async (email, password, { ip, userAgent }) => {
      const path = '/internal/verify-credentials';
      const answer = await call({ method: 'POST', path, json: { email, password, ip, user_agent: userAgent } });
      return dataOf<CredentialsVerdict>(answer, path);
    },
    redeemChallenge: async (challenge) => {
      const path = '/internal/tokens';
      const answer = await call({ method: 'POST', path, json: { grant: 'challenge', challenge, kind: 'jwt' } });
      if (answer.status === 401 && REFUSED_CHALLENGE.has(answer.json<Wire<never>>()?.code ?? '')) return undefined;
      return dataOf<AccessGrant>(answer, path);
    },
  };
};
