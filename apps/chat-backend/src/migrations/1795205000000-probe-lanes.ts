import { ForwardMigration } from '@platform/data';
import { outboxProbeMigration } from '@platform/outbox';

export class ProbeLanes1795205000000 extends ForwardMigration {
  readonly steps = [outboxProbeMigration];
}
