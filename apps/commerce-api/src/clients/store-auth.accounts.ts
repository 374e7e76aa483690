import { Conflict, Rejected } from '@platform/errors';
import { path } from '@platform/http';
import { secondProof, type Account, type Visitor } from './store-auth.client';
import { unless, type Ask } from './store-auth.peer';

export type { Account } from './store-auth.client';

export interface NewAccount {
  readonly user_id: string;
  readonly email: string;
  readonly password: string;
  readonly nama: string;
  readonly phone?: string;
  readonly locale?: string;
  readonly timezone?: string;
  readonly store?: { readonly store_id: string; readonly nama: string };
}

export type AccountChange = Partial<Pick<NewAccount, 'nama' | 'locale' | 'timezone'>> & {
  /** Null: none from now on. */
  readonly phone?: string | null;
  readonly email_verified?: true;
};

export interface LoginEvent {
  readonly at: string;
  readonly type: string;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly sid_hash: string | null;
}

/** What this service asks of store-auth about users (its design 2.4). Every call throws `Unavailable` when store-auth is down. */
export interface AccountsClient {
  /** The same ids again are the same user. Undefined: somebody has the address. Throws `InvalidInput` for a weak password. */
  create(account: NewAccount): Promise<Account | undefined>;
  find(userId: string): Promise<Account | undefined>;
  findByEmail(email: string): Promise<Account | undefined>;
  change(userId: string, change: AccountChange): Promise<Account>;
  /** Whether it is theirs. Throws `TooMany` like a login. */
  provePassword(userId: string, password: string, visitor: Visitor): Promise<boolean>;
  /** Every other login than `sid` ends. False: the current one is wrong. */
  changePassword(userId: string, change: { current: string; password: string; sid: string }): Promise<boolean>;
  /** Every other login than `sid` ends, in all stores; repeating it changes nothing. */
  endOtherLogins(userId: string, sid: string): Promise<void>;
  /** The newest first, in pages. */
  history(userId: string, cursor?: string): Promise<{ items: LoginEvent[]; next_cursor: string | null }>;
}

/** The second factor of a user, at store-auth. */
export interface SecondFactorClient {
  /** Undefined: the password is wrong. Throws `Conflict` when there is one already. */
  begin(userId: string, password: string): Promise<{ secret: string; otpauth_url: string } | undefined>;
  /** The recovery codes; undefined: the code is wrong. Throws `Conflict` when none was begun. */
  confirm(userId: string, code: string): Promise<readonly string[] | undefined>;
  /** False: the code is wrong. Throws `Conflict` when there is none. */
  turnOff(userId: string, code: string): Promise<boolean>;
}

const USERS = path('/internal/users');

const found = async (ask: Ask, query: { ids: string } | { email: string }): Promise<Account | undefined> =>
  (await ask<{ users: Account[] }>({ method: 'GET', path: USERS, query })).users[0];

export const httpAccountsClient = (ask: Ask): AccountsClient => ({
  create: (json) =>
    ask<{ user: Account }>({ path: USERS, json })
      .then(({ user }) => user)
      .catch(unless(Conflict, undefined)),
  find: (userId) => found(ask, { ids: userId }),
  findByEmail: (email) => found(ask, { email }),
  change: async (userId, json) =>
    (await ask<{ user: Account }>({ method: 'PUT', path: path('/internal/users/{id}', { id: userId }), json })).user,
  provePassword: async (userId, password, { ip, userAgent }) => {
    const json = { user_id: userId, password, ip, user_agent: userAgent };
    return (await ask<{ valid: boolean }>({ path: path('/internal/verify-credentials'), json })).valid;
  },
  changePassword: (userId, { current, password, sid }) =>
    ask({
      method: 'PUT',
      path: path('/internal/users/{id}/password', { id: userId }),
      json: { password, current_password: current, except_sid: sid },
      silent: true,
    })
      .then(() => true)
      .catch(unless(Rejected, false)),
  endOtherLogins: async (userId, sid) => {
    await ask({ path: path('/internal/tokens/revoke'), json: { user_id: userId, except_sid: sid } });
  },
  history: (userId, cursor) =>
    ask({ method: 'GET', path: path('/internal/auth-events'), query: { user_id: userId, cursor } }),
});

export const httpSecondFactorClient = (ask: Ask): SecondFactorClient => {
  const at = (userId: string) => path('/internal/users/{id}/two-factor', { id: userId });
  return {
    begin: (userId, password) =>
      ask<{ secret: string; otpauth_url: string }>({ path: at(userId), json: { password } }).catch(
        unless(Rejected, undefined),
      ),
    confirm: (userId, otp) =>
      ask<{ recovery_codes: string[] }>({ method: 'PUT', path: at(userId), json: { otp } })
        .then(({ recovery_codes: codes }) => codes)
        .catch(unless(Rejected, undefined)),
    turnOff: (userId, code) =>
      ask({ method: 'DELETE', path: at(userId), json: secondProof(code), silent: true })
        .then(() => true)
        .catch(unless(Rejected, false)),
  };
};
