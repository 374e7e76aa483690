import { ForwardMigration } from '@platform/data';

/** What is removed after its days is found by its time, in all stores at once. */
export class Ages1795208000000 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS notifications_age ON notifications (waktu);',
    'CREATE INDEX CONCURRENTLY IF NOT EXISTS chat_histories_age ON chat_histories (waktu);',
  ];
}
