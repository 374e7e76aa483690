import { ForwardMigration } from '@platform/data';
import { outboxShareMigration } from '@platform/outbox';

export class ShareLanes1795205200000 extends ForwardMigration {
  readonly steps = [...outboxShareMigration];
}
