import { ForwardMigration } from '@platform/data';
import { outboxShareMigration, outboxSupersedeMigration } from '@platform/outbox';

export class ShareLanes1762000000050 extends ForwardMigration {
  readonly steps = [...outboxShareMigration, outboxSupersedeMigration];
}
