import { ForwardMigration } from '@platform/data';

/** A notification that counts on moves to the front, so the list goes by its time. */
export class NotificationsByTime1795206000000 extends ForwardMigration {
  readonly steps = ['CREATE INDEX notifications_newest ON notifications (store_id, user_id, waktu DESC, id DESC);'];
}
