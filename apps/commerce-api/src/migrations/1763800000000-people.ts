import { ForwardMigration } from '@platform/data';

/** Pictures of people lie with the files of a store: commerce-api design section 4, Tenancy. */
export class People1763800000000 extends ForwardMigration {
  readonly steps = [
    'ALTER TABLE person ADD COLUMN avatar_store_id varchar(36), ADD COLUMN avatar_media_id uuid',
    `COMMENT ON COLUMN sync_pending.sent_at IS 'of deleted rows, which are kept for a day so that a row made anew has a greater version, and of rows that have no version of their own: theirs is here'`,
  ];
}
