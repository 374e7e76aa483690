import { ForwardMigration } from '@platform/data';

/** Up to which message the team of a chat knows that its bot leaves it to people. */
export class Alarmed1795213000000 extends ForwardMigration {
  readonly steps = ['ALTER TABLE conversations ADD COLUMN IF NOT EXISTS alarmed_seq integer'];
}
