import { ForwardMigration } from '@platform/data';

/** Processes whose lease of a device ran out while they had it: they may still be in the middle of a login (ADR 71). */
export class RememberLostLeases1762000000085 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE lost_lease (
      instance_id text COLLATE "C" NOT NULL,
      owner       text NOT NULL,
      lost_at     timestamptz NOT NULL,
      PRIMARY KEY (instance_id, owner)
    )`,
  ];
}
