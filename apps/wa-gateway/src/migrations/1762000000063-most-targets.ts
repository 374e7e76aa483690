import { ForwardMigration } from '@platform/data';
import { outboxProbeMigration } from '@platform/outbox';

export class MostTargets1762000000063 extends ForwardMigration {
  readonly steps = [outboxProbeMigration];
}
