import { ForwardMigration } from '@platform/data';

/** Groups of the simulated network. A message into one is a row for each phone in it, so that each has its own ticks. */
export class CreateSimulatorGroups1762000000002 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE sim_group (
      id         text COLLATE "C" PRIMARY KEY,
      name       text NOT NULL,
      owner      text COLLATE "C" NOT NULL,
      announce   boolean NOT NULL DEFAULT false,
      created_at timestamptz NOT NULL DEFAULT now()
    )`,
    // rank: null for members, admin, or superadmin for whoever made the group
    `CREATE TABLE sim_member (
      group_id text COLLATE "C" NOT NULL REFERENCES sim_group,
      nohp     text COLLATE "C" NOT NULL REFERENCES sim_phone,
      rank     text CHECK (rank IN ('admin', 'superadmin')),
      seq      bigint GENERATED ALWAYS AS IDENTITY,
      PRIMARY KEY (group_id, nohp)
    )`,
    'ALTER TABLE sim_message DROP CONSTRAINT sim_message_pkey',
    'ALTER TABLE sim_message ADD PRIMARY KEY (instance_id, id, phone)',
  ];
}
