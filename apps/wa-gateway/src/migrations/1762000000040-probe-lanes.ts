import { ForwardMigration } from '@platform/data';
import { outboxProbeMigration } from '@platform/outbox';

export class ProbeLanes1762000000040 extends ForwardMigration {
  readonly steps = [outboxProbeMigration];
}
