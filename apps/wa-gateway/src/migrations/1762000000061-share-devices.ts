import { ForwardMigration } from '@platform/data';

/** Processes that are alive, among whom the devices are shared (design 3.8). */
export class ShareDevices1762000000061 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE gateway_process (
      address    text COLLATE "C" PRIMARY KEY,
      owner      text NOT NULL,
      expires_at timestamptz NOT NULL
    )`,
  ];
}
