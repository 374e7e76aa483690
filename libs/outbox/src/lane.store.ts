import type { Sql } from '@platform/data';
import type { OutgoingRow } from './outbox.types';
import type { Finish, Postpone } from './verdict';

/** A lane in the hands of this process, and the row at its head. */
export interface Lease {
  readonly fence: string;
  readonly row: OutgoingRow;
}

interface HeadRecord {
  lane: string;
  target: string;
  fence: string;
  failures: number;
  id: string | null;
  event_id: string;
  kind: string;
  payload: unknown;
  attempts: number;
  first_try_at: Date | null;
  created_at: Date;
}

const leaseOf = ({ id, ...head }: HeadRecord): Lease | null =>
  id === null
    ? null
    : {
        fence: head.fence,
        row: {
          id,
          eventId: head.event_id,
          lane: head.lane,
          target: head.target,
          kind: head.kind,
          payload: head.payload,
          attempt: head.attempts + 1,
          failures: head.failures,
          firstTryAt: head.first_try_at,
          createdAt: head.created_at,
        },
      };

/** Somebody else holds the lane: its lease had run out. */
export class LeaseLost extends Error {
  constructor(lane: string) {
    super(`the lease of the lane ${lane} has run out; its head is sent again by the new holder`);
  }
}

export interface LaneSettings {
  holder: string;
  leaseSeconds: number;
  breaker: { failures: number; probeSeconds: number };
}

/** The sender's statements, one round trip each; what they guarantee is written at the SQL functions. */
export class LaneStore {
  constructor(private readonly settings: LaneSettings) {}

  /** Up to `max` lanes; null for each lane that turned out to have nothing to send. */
  async claim(sql: Sql, max: number): Promise<(Lease | null)[]> {
    const { holder, leaseSeconds } = this.settings;
    const heads = await sql.prepared<HeadRecord>('outbox_claim', 'SELECT * FROM outbox_claim($1, $2, $3)', [
      max,
      holder,
      leaseSeconds,
    ]);
    return heads.map(leaseOf);
  }

  /** Ends the row; the next one of the lane unless `last`. Throws LeaseLost. */
  async finish(sql: Sql, { fence, row }: Lease, { state, note, alive }: Finish, last: boolean): Promise<Lease | null> {
    const [head] = await sql.prepared<HeadRecord>(
      'outbox_finish',
      'SELECT * FROM outbox_finish($1, $2, $3, $4, $5, $6, $7)',
      [row.lane, fence, row.id, state, note, alive, last ? null : this.settings.leaseSeconds],
    );
    if (!head) throw new LeaseLost(row.lane);
    return leaseOf(head);
  }

  /** Throws LeaseLost. */
  async postpone(
    sql: Sql,
    { fence, row }: Lease,
    { error, spend, delaySeconds, holdSeconds, transport }: Postpone,
  ): Promise<void> {
    const { failures, probeSeconds } = this.settings.breaker;
    const [answer] = await sql.prepared<{ kept: boolean }>(
      'outbox_postpone',
      'SELECT outbox_postpone($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS kept',
      [row.lane, fence, row.id, error, spend, delaySeconds, holdSeconds, transport, failures, probeSeconds],
    );
    if (!answer?.kept) throw new LeaseLost(row.lane);
  }

  async handBack(sql: Sql, { fence, row }: Lease): Promise<void> {
    await sql.query('SELECT outbox_hand_back($1, $2)', [row.lane, fence]);
  }
}
