import { ForwardMigration } from '@platform/data';
import { outboxKeyedMigration } from '@platform/outbox';

/** Claims and releases find each lane by its key. */
export class LanesByKey1762000000087 extends ForwardMigration {
  readonly steps = [outboxKeyedMigration];
}
