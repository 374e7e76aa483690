import type { Sql } from '@platform/data';
import type { OutgoingRow } from './outbox.types';
import type { Finish, Postpone } from './verdict';

/** A lane that this process holds, and the row at its head. */
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
  tried_seconds: number | null;
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
          triedSeconds: head.tried_seconds,
          createdAt: head.created_at,
        },
      };

/** Lanes in flight in this process, per target, and how many more it may take. */
export interface Places {
  /** For all targets together, besides each target's own place. */
  readonly free: number;
  /** Most of one target. */
  readonly share: number;
  readonly flying: ReadonlyMap<string, number>;
}

export interface Claimed {
  readonly leases: readonly Lease[];
  /** There may be more: a target used all its places, or one was spent on a lane that had nothing to send. */
  readonly more: boolean;
}

/** Another process holds the lane: the lease had expired. */
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

/** The end of one row. */
export interface Ending {
  readonly lease: Lease;
  readonly conclusion: Finish;
  readonly last: boolean;
}

const ENDINGS = `
SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::boolean[], $7::double precision[])
  AS e (lane, fence, id, state, note, alive, lease)`;
/** Heads, and for how long they have been tried: by the clock of the database, which all processes share. */
const HEAD = `head.*, extract(epoch FROM clock_timestamp() - head.first_try_at)::float8 AS tried_seconds`;
const CLAIM = `SELECT ${HEAD} FROM outbox_claim($1, $2, $3, $4, $5, $6) head`;

const finishing = (endings: string): string => `
SELECT ${HEAD} FROM (${endings}) ending,
  LATERAL outbox_finish(ending.lane, ending.fence, ending.id, ending.state, ending.note, ending.alive, ending.lease) head`;
const FINISH = finishing(ENDINGS);
// A writer that stands still would keep back the lanes of all shops, until their leases run out. Targets in trouble are locked
// too, in one order by everybody.
export const FINISH_FREE = finishing(
  `SELECT e.* FROM (${ENDINGS}) e JOIN outbox_lane l USING (lane) WHERE l.lane = ANY ($1) ORDER BY l.target, lane FOR UPDATE OF l SKIP LOCKED`,
);

// Like a lane whose head is blocked: no claim finds it, and a new row only makes it due once more
const PARK = `UPDATE outbox_lane SET next_at = 'infinity', fence = NULL, leased_by = NULL WHERE lane = $1 AND fence = $2`;

const RENEW = `UPDATE outbox_lane SET next_at = now() + $3 * interval '1 second' WHERE lane = $1 AND fence = $2 RETURNING 1`;
const countBy = (names: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

/** The sender's statements, one round trip each; their guarantees are documented at the SQL functions. */
export class LaneStore {
  constructor(private readonly settings: LaneSettings) {}

  /** As many due lanes as there are places, dealt evenly to the waiting targets. */
  async claim(sql: Sql, { free, share, flying }: Places): Promise<Claimed> {
    const { holder, leaseSeconds } = this.settings;
    const heads = await sql.prepared<HeadRecord>('outbox_claim', CLAIM, [
      holder,
      leaseSeconds,
      free,
      share,
      [...flying.keys()],
      [...flying.values()],
    ]);
    const looked = countBy(heads.map(({ target }) => target));
    const dealt = Math.floor(free / Math.max(1, looked.size));
    const usedUp = [...looked].some(([target, count]) => {
      const before = flying.get(target) ?? 0;
      return before + count < share && count >= dealt + (before === 0 ? 1 : 0);
    });
    const leases = heads.map(leaseOf).filter((lease) => lease !== null);
    return { leases, more: usedUp || leases.length < heads.length };
  }

  /** Ends the row; resolves to the lane's next one unless `last`. Waits for writers to the lane. Throws LeaseLost. */
  async finish(sql: Sql, lease: Lease, conclusion: Finish, last: boolean): Promise<Lease | null> {
    const [head] = await this.end(sql, 'outbox_finish', FINISH, [{ lease, conclusion, last }]);
    if (head === undefined) throw new LeaseLost(lease.row.lane);
    return head;
  }

  /**
   * The same for rows of several lanes in one statement, which costs little more than for one; each lane comes once.
   * Resolves in the order of `endings`; undefined where a writer holds the lane now or the lease was lost.
   */
  finishAll(sql: Sql, endings: readonly Ending[]): Promise<(Lease | null | undefined)[]> {
    return this.end(sql, 'outbox_finish_free', FINISH_FREE, endings);
  }

  private async end(
    sql: Sql,
    name: string,
    statement: string,
    endings: readonly Ending[],
  ): Promise<(Lease | null | undefined)[]> {
    const { leaseSeconds } = this.settings;
    const heads = await sql.prepared<HeadRecord>(name, statement, [
      endings.map(({ lease }) => lease.row.lane),
      endings.map(({ lease }) => lease.fence),
      endings.map(({ lease }) => lease.row.id),
      endings.map(({ conclusion }) => conclusion.state),
      endings.map(({ conclusion }) => conclusion.note),
      endings.map(({ conclusion }) => conclusion.alive),
      endings.map(({ last }) => (last ? null : leaseSeconds)),
    ]);
    const byLane = new Map(heads.map((head) => [head.lane, leaseOf(head)]));
    return endings.map(({ lease }) => byLane.get(lease.row.lane));
  }

  /** Throws LeaseLost. */
  async postpone(
    sql: Sql,
    { fence, row }: Lease,
    { error, spend, delaySeconds, holdSeconds, transport }: Postpone,
  ): Promise<void> {
    const { failures, probeSeconds } = this.settings.breaker;
    const [{ kept }] = (await sql.prepared(
      'outbox_postpone',
      'SELECT outbox_postpone($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS kept',
      [row.lane, fence, row.id, error, spend, delaySeconds, holdSeconds, transport, failures, probeSeconds],
    )) as [{ kept: boolean }];
    if (!kept) throw new LeaseLost(row.lane);
  }

  /** Renews the lease from now on. Throws LeaseLost. */
  async renew(sql: Sql, { fence, row }: Lease): Promise<void> {
    const kept = await sql.prepared('outbox_renew', RENEW, [row.lane, fence, this.settings.leaseSeconds]);
    if (kept.length === 0) throw new LeaseLost(row.lane);
  }

  /** Puts the lane to sleep with its head untouched until it is armed. */
  async park(sql: Sql, { fence, row }: Lease): Promise<void> {
    await sql.prepared('outbox_park', PARK, [row.lane, fence]);
  }

  async handBack(sql: Sql, { fence, row }: Lease): Promise<void> {
    await sql.query('SELECT outbox_hand_back($1, $2)', [row.lane, fence]);
  }
}
