import { ForwardMigration, type Database } from '@platform/data';
import { Sends, silentLogger } from '@platform/runtime';
import { standIn, truncateAll, useDatabase, useForEach, type TestDatabase } from '@platform/testing';
import { openOutbox } from './outbox';
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

/** A receiver in this process: answers as told, remembers what it accepted, per lane. */
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

/** Reaches somebody. */
export const MESSAGE: OutboxKind = { name: 'message', effect: 'outside' };
/** Stays among ourselves. */
export const NOTE: OutboxKind = { name: 'note', effect: 'inside' };

export const row = (lane: string, payload: unknown, more: Partial<NewRow> = {}): NewRow => ({
  lane,
  target: `target of ${lane}`,
  kind: MESSAGE,
  payload,
  ...more,
});

/** Sweeps so seldom that only notifications wake it, unless a test says otherwise. */
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
  /** New for every test, as the outbox is. */
  readonly receiver: Receiver;
  readonly outbox: Outbox;
  /** From now on `outbox` is another one, which is not started. */
  reopen(more?: Partial<OutboxOptions>): void;
}

/** A started outbox and what it delivers to, for every test of the surrounding suite; no row outlives its test. */
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

/** Time passes for these lanes: leases run out, pauses end. */
export const makeDue = (database: Database): Promise<unknown> =>
  database
    .query(`UPDATE outbox_lane SET next_at = now() WHERE next_at < 'infinity'`)
    .then(() => database.query('SELECT outbox_notify()'));

/** The hold of every target ends. */
export const endHolds = (database: Database): Promise<unknown> =>
  database
    .query('UPDATE outbox_target SET held_until = now() WHERE held_until IS NOT NULL')
    .then(() => makeDue(database));

export const rowsOf = (database: Database): Promise<Record<string, unknown>[]> =>
  database.query(`SELECT payload, state, attempts, outcome, last_error FROM outbox_row ORDER BY id`);
