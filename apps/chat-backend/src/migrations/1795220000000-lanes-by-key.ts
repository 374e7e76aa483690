import { ForwardMigration } from '@platform/data';
import { outboxKeyedMigration } from '@platform/outbox';

/** Claims and releases find each lane by its key. */
export class LanesByKey1795220000000 extends ForwardMigration {
  readonly steps = [outboxKeyedMigration];
}
