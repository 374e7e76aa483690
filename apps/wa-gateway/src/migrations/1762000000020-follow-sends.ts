import { ForwardMigration } from '@platform/data';
import { outboxSupersedeMigration } from '@platform/outbox';
import { statusFunctions } from '../features/messages/statuses.sql';

/** What is known of a send after it left: when, how often again (design 3.3), and the statuses that come back (3.4). */
export class FollowSends1762000000020 extends ForwardMigration {
  readonly steps = [
    outboxSupersedeMigration,
    statusFunctions,
    'ALTER TABLE message ADD COLUMN sent_at timestamptz, ADD COLUMN repeats smallint NOT NULL DEFAULT 0',
  ];
}
