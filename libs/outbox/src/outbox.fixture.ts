import { ForwardMigration, type Database } from '@platform/data';
import { Sends, silentLogger, type Logger } from '@platform/runtime';
import { standIn, truncateAll, useDatabase, useForEach, type TestDatabase } from '@platform/testing';
import { openOutbox } from './outbox';
import type { Lease } from './lane.store';
import { outboxMigration } from './outbox.migration';
import { outboxSupersedeMigration } from './supersede.sql';
import type { NewRow, Outbox, OutboxKind, OutboxOptions, OutgoingRow } from './outbox.types';
import type { Verdict } from './verdict';

class CreateOutbox1760000000000 extends ForwardMigration {
  readonly steps = [
    outboxMigration,
    outboxSupersedeMigration,
    'CREATE TABLE sent (event_id uuid PRIMARY KEY, gateway_id text NOT NULL)',
  ];
}

export const useOutboxDatabase = (): TestDatabase =>
  useDatabase({ schema: 'post', migrations: [CreateOutbox1760000000000] });

/** A receiver in this process: answers as the test says, and records what it accepted, per lane. */
export class Receiver {
  readonly accepted: OutgoingRow[] = [];
  readonly calls: OutgoingRow[] = [];
  answer: (row: OutgoingRow, signal: AbortSignal) => Verdict | Promise<Verdict> = () => ({ verdict: 'done' });

  readonly deliver = async (row: OutgoingRow, signal: AbortSignal): Promise<Verdict> => {
    this.calls.push(row);
    const verdict = await this.answer(row, signal);
    if (verdict.verdict === 'done') this.accepted.push(row);
    return verdict;
  };

  payloads(lane?: string): unknown[] {
    return this.accepted.filter((row) => lane === undefined || row.lane === lane).map((row) => row.payload);
  }
}

/** A call that never answers. */
export const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

/** Has an outside effect. */
export const MESSAGE: OutboxKind = { name: 'message', effect: 'outside' };
/** Has an inside effect. */
export const NOTE: OutboxKind = { name: 'note', effect: 'inside' };

export const row = (lane: string, payload: unknown, more: Partial<NewRow> = {}): NewRow => ({
  lane,
  target: `target of ${lane}`,
  kind: MESSAGE,
  payload,
  ...more,
});

/** Sweeps so rarely that only notifications wake it, unless a test says otherwise. */
export const outboxOf = (database: Database, receiver: Receiver, more: Partial<OutboxOptions> = {}): Outbox =>
  openOutbox({
    database,
    logger: silentLogger,
    name: 'spec',
    deliver: receiver.deliver,
    kinds: [MESSAGE, NOTE],
    sends: new Sends(),
    sweepSeconds: 3_600,
    stopSeconds: 1,
    ...more,
  });

interface UsedOutbox {
  readonly database: TestDatabase;
  /** New for every test, like the outbox. */
  readonly receiver: Receiver;
  readonly outbox: Outbox;
  /** Replaces `outbox` by another one that is not started. */
  reopen(more?: Partial<OutboxOptions>): void;
}

/** A started outbox and its receiver, for every test of the surrounding suite; no row outlives its test. */
export const useOutbox = (options: Partial<OutboxOptions> = {}): UsedOutbox => {
  const database = useOutboxDatabase();
  const receiver = useForEach(() => new Receiver());
  let current: Outbox | undefined;
  const outbox = standIn(() => current);
  const reopen = (more: Partial<OutboxOptions> = {}) => void (current = outboxOf(database, receiver, more));
  beforeEach(() => {
    reopen(options);
    return outbox.start?.();
  });
  afterEach(async () => {
    await outbox.stop?.();
    await truncateAll(database);
  });
  return { database, receiver, outbox, reopen };
};

export const send = (database: Database, outbox: Outbox, ...rows: NewRow[]) =>
  database.tx((tx) => outbox.enqueue(tx, rows));

/** Lets time pass for these lanes: leases expire, pauses end. */
export const makeDue = (database: Database): Promise<unknown> =>
  database
    .query(`UPDATE outbox_lane SET next_at = now() WHERE next_at < 'infinity'`)
    .then(() => database.query('SELECT outbox_notify()'));

/** Ends the hold of every target. */
export const endHolds = (database: Database): Promise<unknown> =>
  database
    .query('UPDATE outbox_target SET held_until = now() WHERE held_until IS NOT NULL')
    .then(() => makeDue(database));

export const rowsOf = (database: Database): Promise<Record<string, unknown>[]> =>
  database.query(`SELECT payload, state, attempts, outcome, last_error FROM outbox_row ORDER BY id`);

/** Logged warnings and errors. */
export const hearing = () => {
  const told: unknown[] = [];
  const tell = (...said: unknown[]) => void told.push(said);
  const logger: Logger = { ...silentLogger, warn: tell, error: tell, child: () => logger };
  return { told, logger };
};

/** A leased row, for specs that need no database. */
export const leaseOf = (more: Partial<OutgoingRow> = {}): Lease => ({
  fence: '7',
  row: {
    id: '1',
    eventId: '00000000-0000-7000-8000-000000000001',
    lane: 'a',
    target: 't',
    kind: 'message',
    payload: 1,
    attempt: 1,
    failures: 0,
    triedSeconds: null,
    createdAt: new Date('2026-03-01T12:00:00Z'),
    ...more,
  },
});

/** Lets pending promises settle, also under fake timers. */
export const settledPromises = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};
