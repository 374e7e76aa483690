import { ForwardMigration } from '@platform/data';

/** What a cloud device signs in with, and what Meta calls our messages (design 4, 5.3). */
export class CreateCloud1762000000030 extends ForwardMigration {
  readonly steps = [
    // {phone_number_id, sealed}: webhooks are found by the one, the other opens with WA_AUTH_KEY
    'ALTER TABLE device ADD COLUMN cloud_enc jsonb',
    // A webhook names the number only: it can belong to one device
    `CREATE UNIQUE INDEX device_cloud_number ON device ((cloud_enc->>'phone_number_id')) WHERE cloud_enc IS NOT NULL`,
    'CREATE INDEX message_by_wa_id ON message (instance_id, wa_id) WHERE wa_id IS NOT NULL',
  ];
}
