import type { Database, Sql } from '@platform/data';
import type { Clock, Component, Effect, Logger, Sends } from '@platform/runtime';
import type { Verdict } from './verdict';

/**
 * A kind of row: what is delivered, and its effect. Whoever writes rows by SQL takes the name from here, so that
 * there is no kind without a declaration.
 */
export interface OutboxKind {
  readonly name: string;
  readonly effect: Effect;
}

export interface NewRow {
  /** Rows of one lane arrive in the order in which they were committed; lanes do not wait for each other. */
  lane: string;
  /** Who receives the lane, for breaker and hold. The last one given counts for the whole lane. */
  target: string;
  kind: OutboxKind;
  payload: unknown;
  /** A second row with the same key is dropped, for as long as the first is kept (done rows: `retentionSeconds`). */
  dedupeKey?: string;
  /** A fresh UUIDv7 when left out. */
  eventId?: string;
  /** Waits for `unblock`, and its lane with it. */
  blocked?: boolean;
}

/** `id` is null when the dedupe key was taken; then `eventId` names nothing. */
export interface Enqueued {
  id: string | null;
  eventId: string;
}

/** A row on its way out. */
export interface OutgoingRow<Payload = unknown> {
  readonly id: string;
  /** The same on every try and after a replay: the receiver can recognise a repetition by it. */
  readonly eventId: string;
  readonly lane: string;
  readonly target: string;
  readonly kind: string;
  readonly payload: Payload;
  /** Number of this try, from 1; tries that were not spent do not count. */
  readonly attempt: number;
  /** Failures in a row before this try, spent or not: for a backoff of the caller's own. */
  readonly failures: number;
  readonly firstTryAt: Date | null;
  readonly createdAt: Date;
}

/**
 * Sends one row and says what became of it. It must settle soon after `signal` aborts: that happens after `callSeconds`,
 * before a lease ends that could not be kept, and when the process stops. A thrown error counts as a spent try, not as a failure of the transport.
 */
export type Deliver<Payload = unknown> = (row: OutgoingRow<Payload>, signal: AbortSignal) => Promise<Verdict>;

export interface OutboxOptions<Payload = unknown> {
  database: Database;
  logger: Logger;
  clock?: Clock;
  /** For logs and for `leased_by`. */
  name: string;
  deliver: Deliver<Payload>;
  /** Every kind that is written to this schema; a row of any other counts as `outside`. */
  kinds: readonly OutboxKind[];
  /** While they are held, rows whose effect is `outside` stay where they are, and their lanes with them. */
  sends: Sends;
  /** Lanes that all targets share, 32 when left out; besides, every target that waits has a place of its own. */
  lanes?: number;
  /** Lanes of one target served at the same time, half of `lanes` when left out. */
  share?: number;
  /** How long a lane belongs to this process, 30 when left out; so long a killed process keeps others from it. */
  leaseSeconds?: number;
  /** After this a call is aborted, nine tenths of the lease when left out. While it lasts its lease is kept alive. */
  callSeconds?: number;
  /** Polls for due lanes this often, in addition to NOTIFY, 1 when left out. */
  sweepSeconds?: number;
  /** Transport failures in a row that open a target's breaker (10), and how often one lane then probes (5 s). */
  breaker?: { failures: number; probeSeconds: number };
  /** Age at which an unspent error thrown by `deliver` makes its row dead, 24 h when left out. */
  giveUpSeconds?: number;
  /** Done rows and idle lanes are kept this long, 24 h when left out. */
  retentionSeconds?: number;
  /** Dead rows are kept this long, 30 days when left out. */
  deadRetentionSeconds?: number;
  /** How long `stop` waits for calls in flight before it aborts them, 5 when left out. */
  stopSeconds?: number;
}

export interface DeadRow {
  id: string;
  eventId: string;
  lane: string;
  target: string;
  kind: string;
  payload: unknown;
  attempts: number;
  reason: string | null;
  createdAt: Date;
  diedAt: Date;
}

/** One row by its event id, or those of lanes whose name begins so, from the ones written at `since` on. */
export type DeadSelection = { readonly eventId: string } | { readonly lanePrefix: string; readonly since?: Date };

export interface Backlog {
  /** Rows not delivered yet, blocked ones included. */
  queued: number;
  /** Age of the oldest of them. */
  oldestSeconds: number;
  dead: number;
}

/**
 * Ordered delivery, at least once: a row committed with `enqueue` is delivered or ends as a dead row, rows of a lane in the
 * order of their commits, one at a time. After a crash the head of a lane is sent again, with the same event id.
 * Any number of processes may serve the same schema; only a started outbox sends. While sends are held a row that leads
 * outward is not touched: no try is counted, its lane sleeps, and after the release everything leaves once and in order.
 */
export interface Outbox extends Component {
  /** Adds rows in the caller's transaction; the answer has the order of `rows`. */
  enqueue(tx: Sql, rows: readonly NewRow[]): Promise<Enqueued[]>;
  /** Makes a blocked row sendable, with another payload when one is given. False when it is not blocked. */
  unblock(tx: Sql, id: string, payload?: unknown): Promise<boolean>;
  /** Dead rows, newest first, of all lanes or of those whose name begins so; `before` is the id to go on from. */
  dead(page?: { limit?: number; before?: string; lanePrefix?: string }): Promise<DeadRow[]>;
  /** Puts a dead row at the end of its lane with the same event id; its new id, or null when it is not dead. */
  replay(id: string): Promise<string | null>;
  /** The same for every dead row that was meant, in the order in which they were written; their number. */
  replayAll(of: DeadSelection): Promise<number>;
  /** Sends nothing to the target for so long, then one lane probes. */
  hold(target: string, seconds: number): Promise<void>;
  /** Ends hold and breaker of the target at once. */
  release(target: string): Promise<void>;
  /** Of all lanes. */
  backlog(): Promise<Backlog>;
  /** Of the lanes whose names begin so, for each prefix in turn, in one statement. */
  backlogs(lanePrefixes: readonly string[]): Promise<Backlog[]>;
  /** Deletes what is older than its retention and arms lanes that should not be idle; a started outbox does it by itself. */
  tidy(): Promise<void>;
}
