import type { Sql } from '@platform/data';
import { TooMany } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { addressGroup } from '@platform/http';
import type { ThrottleLimit } from './throttle-limit.setting';
import { normalisedEmail } from '../accounts/public';
import type { ThrottleRepository, ThrottleRule } from './throttle.repository';

/** A counted try that may still succeed. Left alone it stays counted as a failure. */
export interface Attempt {
  /** Whether this try reached the account's limit: the account is locked now, unless it succeeds. */
  readonly lockedAccount: boolean;
  /** Clears the account's count, and takes back the address's try. */
  succeeded(): Promise<void>;
  /** The password was never checked: takes back both tries. */
  withdrawn(): Promise<void>;
}

export interface ThrottleLimits {
  readonly account: ThrottleLimit;
  readonly address: ThrottleLimit;
}

const ACCOUNT_LOCK = { lockSeconds: 60, maxLockSeconds: 15 * 60 };

/** Counts failed logins per account, whether or not it exists, and per address: design 3.3. */
export class LoginThrottle {
  private readonly accountRule: ThrottleRule;
  private readonly addressRule: ThrottleRule;

  constructor(
    private readonly repository: ThrottleRepository,
    private readonly clock: Clock,
    { account, address }: ThrottleLimits,
  ) {
    this.accountRule = { attempts: account.attempts, windowSeconds: account.seconds, ...ACCOUNT_LOCK };
    const window = address.seconds;
    this.addressRule = {
      attempts: address.attempts,
      windowSeconds: window,
      lockSeconds: window,
      maxLockSeconds: window,
    };
  }

  /**
   * Counts a try and lets it through, or throws `TooMany` with the time until the lock opens. The address comes first: one
   * that is locked out must not be able to lock accounts; a try that a locked account refuses does not count against it, or one
   * forgetful person would lock out everybody behind the same address. Without an address it is a check for somebody who is logged in.
   */
  async admit(account: string, address: string): Promise<Attempt> {
    const accountKey = `account ${account}`;
    const addressKey = address && `address ${addressGroup(address)}`;
    if (addressKey) await this.enter(addressKey, this.addressRule);
    const withdrawAddress = async () => {
      if (addressKey) await this.repository.withdraw(addressKey, this.addressRule, this.clock.now());
    };
    const { locked_until: lockedUntil } = await this.enter(accountKey, this.accountRule).catch(
      async (locked: unknown) => {
        await withdrawAddress();
        throw locked;
      },
    );
    return {
      lockedAccount: lockedUntil !== null && lockedUntil > this.clock.now(),
      succeeded: async () => {
        await this.repository.forget(accountKey);
        await withdrawAddress();
      },
      withdrawn: async () => {
        await this.repository.withdraw(accountKey, this.accountRule, this.clock.now());
        await withdrawAddress();
      },
    };
  }

  /** Clears the count of an account or an address. False when there was none. */
  forget(which: { readonly email: string } | { readonly address: string }, sql?: Sql): Promise<boolean> {
    const key = 'email' in which ? `account ${normalisedEmail(which.email)}` : `address ${addressGroup(which.address)}`;
    return this.repository.forget(key, sql);
  }

  private async enter(key: string, rule: ThrottleRule) {
    const now = this.clock.now();
    const admission = await this.repository.admit(key, rule, now);
    if (admission.admitted) return admission;
    const until = admission.locked_until?.getTime() ?? now.getTime();
    throw new TooMany('too many failed logins', { retryAfterSeconds: (until - now.getTime()) / 1000 });
  }
}
