import { ForwardMigration } from '@platform/data';

/** What a device still has to do after a restart: tell of messages that never became readable, and unlink where it could not. */
export class RememberStubsAndFarewells1762000000062 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE held_stub (
      instance_id text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      message     jsonb NOT NULL,
      due_at      timestamptz NOT NULL,
      PRIMARY KEY (instance_id, id)
    )`,
    `CREATE INDEX held_stub_due ON held_stub (due_at)`,
    `CREATE TABLE farewell (
      instance_id text COLLATE "C" NOT NULL,
      account     text COLLATE "C" NOT NULL,   -- as WhatsApp names the linked device
      creds_enc   text NOT NULL,
      tries       integer NOT NULL DEFAULT 0,
      created_at  timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (instance_id, account)
    )`,
    `CREATE INDEX farewell_created ON farewell (created_at)`,
  ];
}
