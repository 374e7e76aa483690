import { ForwardMigration, type Database } from '@platform/data';
import { silentLogger } from '@platform/runtime';
import { testDatabase, type TestDatabase } from '@platform/testing';
import { openOutbox } from './outbox';
import { outboxMigration } from './outbox.migration';
import { outboxSupersedeMigration } from './supersede.sql';
import type { NewRow, Outbox, OutboxOptions, OutgoingRow } from './outbox.types';
import type { Verdict } from './verdict';

class CreateOutbox1760000000000 extends ForwardMigration {
  readonly steps = [
    outboxMigration,
    outboxSupersedeMigration,
    'CREATE TABLE sent (event_id uuid PRIMARY KEY, gateway_id text NOT NULL)',
  ];
}

export const outboxDatabase = (): Promise<TestDatabase> =>
  testDatabase({ schema: 'post', migrations: [CreateOutbox1760000000000] });

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

export const row = (lane: string, payload: unknown, more: Partial<NewRow> = {}): NewRow => ({
  lane,
  target: `target of ${lane}`,
  kind: 'message',
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
    sweepSeconds: 3_600,
    stopSeconds: 1,
    ...more,
  });

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
