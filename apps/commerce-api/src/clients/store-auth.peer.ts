import type { ServiceTokens } from '@platform/auth';
import { Conflict, Forbidden, Gone, InvalidInput, NotFound, Rejected, type FailureOptions } from '@platform/errors';
import { peer, type HttpClient, type PeerCall } from '@platform/http';
import { refusals as refused } from '../refusals';

const TIMEOUT_MS = 3_000;

/** store-auth says which password it refuses in its own words for fields; here the field is always this one. */
class WeakPassword extends InvalidInput {
  constructor(_message: string, options: FailureOptions) {
    const message = 'password is too short, or one that many people use: choose another one';
    super([{ field: 'password', tag: 'weak', message }], options);
  }
}

/** The same in the words of this API: those of store-auth are not for its readers. */
const conflictSaying = (text: string) =>
  class extends Conflict {
    constructor(_message: string, options: FailureOptions) {
      super(text, options);
    }
  };

/** To the readers of this API a user is a row like others. */
class UnknownUser extends NotFound {
  constructor(_message: string, { code: _code, ...options }: FailureOptions) {
    super('User not found', options);
  }
}

/** Codes by which store-auth refuses the user, not us. */
const refusals = {
  challenge_invalid: Gone,
  session_ended: Gone,
  not_a_member: Forbidden,
  email_taken: Conflict,
  user_exists: Conflict,
  store_taken: Conflict,
  last_owner: Conflict,
  two_factor_on: conflictSaying(refused.twoFactorOn().message),
  two_factor_off: conflictSaying(refused.twoFactorOff().message),
  two_factor_not_begun: conflictSaying(refused.twoFactorNotBegun().message),
  user_not_found: UnknownUser,
  password_invalid: Rejected,
  code_invalid: Rejected,
  otp_invalid: Rejected,
  '422': WeakPassword,
};

export interface Asked extends Pick<PeerCall, 'path' | 'method' | 'query' | 'json'> {
  /** A success says nothing but that it is done. */
  readonly silent?: true;
}

/** Makes one call and resolves to the `data` of its answer. */
export type Ask = <T>(call: Asked) => Promise<T>;

/** store-auth over HTTP, with a service token of the audience `store-auth`. All of its clients share one breaker. */
export const askStoreAuth = (http: HttpClient, tokens: ServiceTokens): Ask => {
  const storeAuth = peer('store-auth', http, {
    timeoutMs: TIMEOUT_MS,
    token: () => tokens.for('store-auth'),
    absence: {},
    refusals,
  });
  return async <T>({ method = 'POST', silent, ...call }: Asked) => {
    const fits = ({ data }: { data?: T }) => silent ?? (typeof data === 'object' && data !== null);
    return (await storeAuth.ask<{ data: T }>({ method, ...call, fits })).data;
  };
};

type Kind = abstract new (...given: never[]) => Error;

/** Resolves to `instead` for a refusal of that kind; any other error is rethrown. */
export const unless =
  <T>(kind: Kind, instead: T) =>
  (failure: unknown): T => {
    if (failure instanceof kind) return instead;
    throw failure;
  };
