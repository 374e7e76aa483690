import { ForwardMigration } from '@platform/data';

/** Which process serves a device (design 3.8). */
export class CreateLeases1762000000021 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE lease (
      instance_id text COLLATE "C" PRIMARY KEY,
      owner       text NOT NULL,
      address     text NOT NULL,
      expires_at  timestamptz NOT NULL
    )`,
    `CREATE INDEX lease_owner ON lease (owner)`,
  ];
}
