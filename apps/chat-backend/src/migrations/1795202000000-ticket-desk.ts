import { ForwardMigration } from '@platform/data';

/** The list of tickets, newest first: ids are the caller's own and tell no order. */
export class TicketDesk1795202000000 extends ForwardMigration {
  readonly steps = ['CREATE INDEX tickets_newest ON tickets (store_id, created_at DESC, id DESC);'];
}
