export { openOutbox } from './outbox';
export { outboxMigration, outboxProbeMigration, outboxKeyedMigration, outboxShareMigration } from './outbox.migration';
export { outboxSupersedeMigration } from './supersede.sql';
export { enqueueRows, unblockRow } from './row.writer';
export { fullJitter, type Dead, type Done, type Hold, type Retry, type Settle, type Verdict } from './verdict';
export type {
  Backlog,
  DeadRow,
  DeadSelection,
  Deliver,
  Enqueued,
  NewRow,
  Outbox,
  OutboxKind,
  OutboxOptions,
  OutgoingRow,
} from './outbox.types';
