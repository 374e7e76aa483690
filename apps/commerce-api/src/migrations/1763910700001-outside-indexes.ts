import { ForwardMigration } from '@platform/data';

/** What has happened to one order, in order. */
export class OutsideIndexes1763910700001 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS shop_event_subject ON shop_event (store_id, subject_id, at, id)`,
  ];
}
