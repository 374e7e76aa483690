import { ForwardMigration } from '@platform/data';

/** What waits before a send of its chat is found when the send is taken to the line. */
export class OrderOfChats1762000000064 extends ForwardMigration {
  readonly transaction = false;
  readonly steps = [
    `CREATE INDEX CONCURRENTLY IF NOT EXISTS message_queued ON message (instance_id, chat, seq) WHERE send_state = 'queued'`,
  ];
}
