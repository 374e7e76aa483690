import { sidHashOf } from '@platform/auth';
import { listingOf, type Feed, type PageCursor, type Sql } from '@platform/data';
import { before, since } from '../../../moment';
import type { Caller } from '../../../abilities';
import type { AccountsClient } from '../../../clients/store-auth.accounts';
import { refusals } from '../../../refusals';
import { LogsQuery, type LogEntry, type LoginsAnswer } from './logs.dto';

interface Row extends Omit<LogEntry, 'at' | 'actor' | 'subject'> {
  readonly at: Date;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly actor_kind: LogEntry['actor']['kind'];
  readonly subject_type: string;
  readonly subject_id: string;
}

export const logListing = listingOf(LogsQuery, {
  from: 'audit_log a',
  tenant: 'a.tenant_id',
  select: `a.id, a.at, a.actor_id, a.actor_name, a.actor_kind, a.action, a.subject_type, a.subject_id, a.diff, a.ip`,
  sort: { at: 'a.at' },
  usualSort: '-at',
  tie: 'a.id',
  where: {
    actor_id: 'a.actor_id = ?',
    action: 'a.action = ?',
    subject_type: 'a.subject_type = ?',
    from: since('a.at'),
    to: before('a.at'),
  },
  read: ({ at, actor_id, actor_name, actor_kind, subject_type, subject_id, ...rest }: Row): LogEntry => ({
    ...rest,
    at: at.toISOString(),
    actor: { id: actor_id, name: actor_name, kind: actor_kind },
    subject: { type: subject_type, id: subject_id },
  }),
});

/** What was done in a store, and the logins of its members. */
export class LogsService {
  constructor(
    private readonly sql: Sql,
    private readonly cursors: PageCursor,
    private readonly accounts: Pick<AccountsClient, 'history'>,
  ) {}

  activity(storeId: string, query: LogsQuery): Promise<Feed<LogEntry>> {
    return logListing.feed(this.sql, storeId, query, this.cursors);
  }

  /** The caller's own logins, in all of their stores. */
  async logins({ actor, kind, sid = '' }: Caller, cursor?: string): Promise<LoginsAnswer> {
    if (kind !== 'user') throw refusals.tokenNotAllowed();
    const { items, next_cursor } = await this.accounts.history(actor, cursor);
    const mine = sidHashOf(sid);
    const data = items.map(({ at, ip, user_agent: agent, type: result, sid_hash }) => ({
      ...{ at, ip, agent, result },
      session_current: sid_hash === mine,
    }));
    return { data, meta: { next_cursor } };
  }
}
