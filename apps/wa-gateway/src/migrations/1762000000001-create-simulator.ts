import { ForwardMigration } from '@platform/data';

/** The simulated phone network. It plays WhatsApp, which outlives a crash of the gateway, so its state is in the database. */
export class CreateSimulator1762000000001 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE sim_phone (
      nohp    text COLLATE "C" PRIMARY KEY,
      name    text NOT NULL,
      offline boolean NOT NULL DEFAULT false
    )`,
    // Which phone a device is linked to
    `CREATE TABLE sim_link (
      instance_id text COLLATE "C" PRIMARY KEY,
      nohp        text COLLATE "C" NOT NULL
    )`,
    // out: from the device to a phone, level 0 under way, 1 on the server, 2 on the phone, 3 read, 4 played; reported is what
    // the device was told of it. in: from a phone to the device, level 0 held, 2 taken by the device.
    `CREATE TABLE sim_message (
      instance_id text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      seq         bigint GENERATED ALWAYS AS IDENTITY,
      direction   text NOT NULL CHECK (direction IN ('in', 'out')),
      phone       text COLLATE "C" NOT NULL,
      chat        text COLLATE "C" NOT NULL,
      content     jsonb NOT NULL,
      level       smallint NOT NULL DEFAULT 0,
      reported    smallint NOT NULL DEFAULT 0,
      copies      integer NOT NULL DEFAULT 1,
      delay_ms    integer NOT NULL DEFAULT 0,
      at          timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (instance_id, id)
    )`,
    `CREATE INDEX sim_message_held ON sim_message (instance_id, seq) WHERE direction = 'in' AND level = 0`,
    `CREATE INDEX sim_message_transit ON sim_message (instance_id, seq) WHERE direction = 'out' AND (level < 2 OR reported < level)`,
    `CREATE INDEX sim_message_phone ON sim_message (phone, seq)`,
    `CREATE TABLE sim_faults (singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton), faults jsonb NOT NULL)`,
  ];
}
