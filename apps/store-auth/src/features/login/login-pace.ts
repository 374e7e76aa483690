import type { Database } from '@platform/data';
import { TooMany } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { AuditRepository } from '../audit/public';
import type { ThrottleLimit } from '../throttle/public';

/** How often one user may log in: every login that ends is an event which all verifiers remember for an hour (ADR 170). */
export class LoginPace {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
    private readonly limit: ThrottleLimit,
  ) {}

  /** Throws `TooMany` when the user has logged in too often. */
  async demandRest(userId: string): Promise<void> {
    const { attempts: count, seconds } = this.limit;
    const now = this.clock.now().getTime();
    const since = new Date(now - seconds * 1000);
    const before = await this.audit.loginBefore(this.database, userId, { count, since });
    if (!before) return;
    const retryAfterSeconds = Math.ceil((before.getTime() - since.getTime()) / 1000);
    throw new TooMany('too many logins', { retryAfterSeconds });
  }
}
