import type { Database, Sql } from '@platform/data';
import { TooMany } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { AuditRepository } from '../audit/public';
import type { ThrottleLimit } from '../throttle/public';

/**
 * How often one user may log in: every login that ends is an event which all verifiers remember for an hour (ADR 170). As often they may
 * move to another store: each time is a row that the history keeps for a year.
 */
export class LoginPace {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
    private readonly limit: ThrottleLimit,
  ) {}

  /** Throws `TooMany` when the user has done so too often. */
  async demandRest(
    userId: string,
    type: 'login' | 'store_switched' = 'login',
    sql: Sql = this.database,
  ): Promise<void> {
    const { attempts: count, seconds } = this.limit;
    const now = this.clock.now().getTime();
    const since = new Date(now - seconds * 1000);
    const before = await this.audit.entryBefore(sql, { userId, type }, { count, since });
    if (!before) return;
    const retryAfterSeconds = Math.ceil((before.getTime() - since.getTime()) / 1000);
    throw new TooMany(type === 'login' ? 'too many logins' : 'too many moves', { retryAfterSeconds });
  }
}
