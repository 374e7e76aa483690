import { ForwardMigration } from '@platform/data';
import { outboxReleaseMigration } from '@platform/outbox';

/** A target that is there again finds each of its lanes by key. */
export class ReleaseLanes1762000000087 extends ForwardMigration {
  readonly steps = [outboxReleaseMigration];
}
