import { ForwardMigration } from '@platform/data';

/** By what hid the number of its customer a chat was known before it got the number (ADR 190). */
export class BegunAs1795214000000 extends ForwardMigration {
  readonly steps = ['ALTER TABLE conversations ADD COLUMN IF NOT EXISTS begun_as text'];
}
