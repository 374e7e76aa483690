import type { Database, Sql } from '@platform/data';
import type { Clock, Component, Effect, Logger, Sends } from '@platform/runtime';
import type { Verdict } from './verdict';

/**
 * A kind of row: what is delivered, and its effect. Code that writes rows by SQL takes the name from here, so that every
 * kind is declared.
 */
export interface OutboxKind {
  readonly name: string;
  readonly effect: Effect;
}

export interface NewRow {
  /** Rows of one lane arrive in the order in which they were committed; lanes do not wait for each other. */
  lane: string;
  /** The receiver of the lane, for breaker and hold. The last one given counts for the whole lane. */
  target: string;
  kind: OutboxKind;
  payload: unknown;
  /** A second row with the same key is dropped as long as the first is kept (done rows: `retentionSeconds`). */
  dedupeKey?: string;
  /** A new UUIDv7 by default. */
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
  /** The same on every try and after a replay, so that the receiver can recognise a repeat. */
  readonly eventId: string;
  readonly lane: string;
  readonly target: string;
  readonly kind: string;
  readonly payload: Payload;
  /** Number of this try, from 1; tries that were not spent do not count. */
  readonly attempt: number;
  /** Consecutive failures before this try, spent or not: for a caller with its own backoff. */
  readonly failures: number;
  /** Since the first try when this one began, by the clock of the database; null at the first. */
  readonly triedSeconds: number | null;
  readonly createdAt: Date;
}

/**
 * Sends one row and resolves to the outcome. It must settle soon after `signal` aborts: after `callSeconds`, before the end
 * of a lease that could not be renewed, and when the process stops. A thrown error counts as a spent try, not as a transport failure.
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
  /** While they are held, rows whose effect is `outside` wait, and their lanes with them. */
  sends: Sends;
  /** Lanes that all targets share, 32 by default; every waiting target also has its own place. */
  lanes?: number;
  /** Lanes of one target served concurrently, half of `lanes` by default. */
  share?: number;
  /** How long a lane belongs to this process, 30 by default; a killed process blocks it that long. */
  leaseSeconds?: number;
  /** Time limit of a call, nine tenths of the lease by default. The lease is renewed while the call lasts. */
  callSeconds?: number;
  /** How often due lanes are polled, in addition to NOTIFY; 1 by default. */
  sweepSeconds?: number;
  /** Consecutive transport failures that open a target's breaker (10), and how often one lane then probes (5 s). */
  breaker?: { failures: number; probeSeconds: number };
  /** Age at which an error thrown by `deliver` makes its row dead, 24 h by default. */
  giveUpSeconds?: number;
  /** Done rows and idle lanes are kept this long, 24 h by default. */
  retentionSeconds?: number;
  /** Dead rows are kept this long, 30 days by default. */
  deadRetentionSeconds?: number;
  /** How long `stop` waits for calls in flight before it aborts them, 5 by default. */
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

/** One row by its event id, or the rows of lanes with a prefix that were written at `since` or later. */
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
 * order of their commits, one at a time. After a crash the head of a lane is sent again with the same event id.
 * Any number of processes may serve the same schema; only a started outbox sends. While sends are held a row with an
 * outside effect is not touched: no try is counted, its lane sleeps, and after the release everything is sent once and in order.
 */
export interface Outbox extends Component {
  /** Adds rows in the caller's transaction; the answer has the order of `rows`. */
  enqueue(tx: Sql, rows: readonly NewRow[]): Promise<Enqueued[]>;
  /** Makes a blocked row sendable, with another payload when one is given. False when it is not blocked. */
  unblock(tx: Sql, id: string, payload?: unknown): Promise<boolean>;
  /** Dead rows, newest first, of all lanes or of those with a prefix; `before` is the id of the last row seen. */
  dead(page?: { limit?: number; before?: string; lanePrefix?: string }): Promise<DeadRow[]>;
  /** Puts a dead row at the end of its lane with the same event id; its new id, or null when it is not dead. */
  replay(id: string): Promise<string | null>;
  /** The same for every selected dead row, in the order in which they were written; resolves to their number. */
  replayAll(of: DeadSelection): Promise<number>;
  /** Sends nothing to the target for this time, then one lane probes. */
  hold(target: string, seconds: number): Promise<void>;
  /** Ends hold and breaker of the target at once. */
  release(target: string): Promise<void>;
  /** Of all lanes. */
  backlog(): Promise<Backlog>;
  /** Of the lanes with each prefix in turn, in one statement. */
  backlogs(lanePrefixes: readonly string[]): Promise<Backlog[]>;
  /** Deletes rows and lanes beyond their retention and arms lanes that should not be idle; a started outbox does it by itself. */
  tidy(): Promise<void>;
}
