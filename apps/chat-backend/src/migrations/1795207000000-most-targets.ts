import { ForwardMigration } from '@platform/data';
import { outboxProbeMigration } from '@platform/outbox';

export class MostTargets1795207000000 extends ForwardMigration {
  readonly steps = [outboxProbeMigration];
}
