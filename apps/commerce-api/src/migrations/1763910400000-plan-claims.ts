import { ForwardMigration } from '@platform/data';

/** Units of a plan that are counted by the id of a thing that another service owns, and what is counted by months. */
export class PlanClaims1763910400000 extends ForwardMigration {
  readonly steps = [
    `ALTER TABLE plan_use ADD COLUMN period text NOT NULL DEFAULT ''`,
    `COMMENT ON COLUMN plan_use.period IS 'the month of what is counted by months, as YYYY-MM where the store is; else empty'`,
    `CREATE TABLE plan_claim (
      store_id varchar(36) NOT NULL REFERENCES store (store_id) ON DELETE CASCADE,
      metric text NOT NULL,
      ref_id varchar(36) NOT NULL,
      open boolean NOT NULL,
      claimed_at timestamptz NOT NULL,
      PRIMARY KEY (store_id, metric, ref_id)
    )`,
    `COMMENT ON COLUMN plan_claim.open IS 'whether the owner of the thing has yet to say what became of it'`,
  ];
}
