import { ForwardMigration } from '@platform/data';
import { outboxReleaseMigration } from '@platform/outbox';

/** A target that is there again finds each of its lanes by key. */
export class ReleaseLanes1763905700000 extends ForwardMigration {
  readonly steps = [outboxReleaseMigration];
}
