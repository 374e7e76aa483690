import { ForwardMigration } from '@platform/data';

/** How many messages with a code an address got: anybody can ask for one. */
export class CodesOfAnHour1763810200000 extends ForwardMigration {
  readonly steps = [
    'ALTER TABLE code_request ADD COLUMN hour_began timestamptz, ADD COLUMN hour_sent integer NOT NULL DEFAULT 0',
  ];
}
