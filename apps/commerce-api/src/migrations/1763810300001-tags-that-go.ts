import { ForwardMigration } from '@platform/data';

/** A tag that is deleted is nobody's at once, and its rows go by portions. */
export class TagsThatGo1763810300001 extends ForwardMigration {
  readonly steps = [
    'ALTER TABLE tag ADD COLUMN deleted_at timestamptz',
    `COMMENT ON COLUMN tag.deleted_at IS 'it is not shown any more, has given its name back, and goes when its last contact has lost it'`,
  ];
}
