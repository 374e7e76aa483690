import { ForwardMigration } from '@platform/data';

/** When we told the writer of an inbound message that it was read. */
export class AddReadMarks1762000000003 extends ForwardMigration {
  readonly steps = ['ALTER TABLE message ADD COLUMN read_at timestamptz'];
}
