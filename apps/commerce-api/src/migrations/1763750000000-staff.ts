import { ForwardMigration } from '@platform/data';

/** Invitations that are sent, and what of a store's plan is used: commerce-api design 3.7, Plans. */
export class Staff1763750000000 extends ForwardMigration {
  readonly steps = [
    'ALTER TABLE invitation ADD COLUMN sent_at timestamptz',
    `CREATE TABLE plan_use (
      store_id varchar(36) NOT NULL REFERENCES store ON DELETE CASCADE,
      metric text NOT NULL,
      used integer NOT NULL CHECK (used >= 0),
      allowed integer CHECK (allowed >= 0),
      PRIMARY KEY (store_id, metric)
    )`,
    `COMMENT ON COLUMN plan_use.allowed IS 'null: what the trial plan allows'`,
  ];
}
