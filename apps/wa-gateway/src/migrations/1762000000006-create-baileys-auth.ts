import { ForwardMigration } from '@platform/data';

/** What the baileys engine keeps (design 4). Keys and messages lie here sealed with WA_AUTH_KEY. */
export class CreateBaileysAuth1762000000006 extends ForwardMigration {
  readonly steps = [
    // `creds` is a type of its own; the others are Signal's
    `CREATE TABLE auth_key (
      instance_id text COLLATE "C" NOT NULL,
      type        text COLLATE "C" NOT NULL,
      id          text COLLATE "C" NOT NULL,
      value       text NOT NULL,
      archived_at timestamptz,
      PRIMARY KEY (instance_id, type, id)
    )`,
    `CREATE TABLE chat_identity (
      instance_id text COLLATE "C" NOT NULL,
      lid         text COLLATE "C" NOT NULL,
      pn          text COLLATE "C" NOT NULL,
      updated_at  timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (instance_id, lid)
    )`,
    `CREATE INDEX chat_identity_pn ON chat_identity (instance_id, pn)`,
    // The message as it goes over the line: what a phone asks for again, and what a re-send sends
    `ALTER TABLE message ADD COLUMN raw_enc text`,
  ];
}
