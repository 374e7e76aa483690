import { ForwardMigration } from '@platform/data';

/** When files go that nobody needs, and since when a file is missed. */
export class SweptMedia1763810320000 extends ForwardMigration {
  readonly steps = [
    'ALTER TABLE media ADD COLUMN sweep_after timestamptz, ADD COLUMN missing_since timestamptz',
    `COMMENT ON COLUMN media.sweep_after IS 'from then on it goes unless something shows it; null: it stays'`,
    `COMMENT ON COLUMN media.missing_since IS 'since when its file was not found; null: it was there, or has not come yet'`,
  ];
}
