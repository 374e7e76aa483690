export { openOutbox } from './outbox';
export { outboxMigration } from './outbox.migration';
export { enqueueRows, unblockRow } from './row.writer';
export { fullJitter, type Dead, type Done, type Hold, type Retry, type Settle, type Verdict } from './verdict';
export type { Backlog, DeadRow, Deliver, Enqueued, NewRow, Outbox, OutboxOptions, OutgoingRow } from './outbox.types';
