import { ForwardMigration } from '@platform/data';

/** Indexes that find the newest first: customers of a common name, unread chats of a team. */
export class NewestFirst1795205100000 extends ForwardMigration {
  readonly steps = [
    // The key carries what customers are searched by: of a name that thousands have, the newest are found by walking it
    // backwards, without their rows. Names change seldom, and other indexes are written then anyway
    'ALTER TABLE customers DROP CONSTRAINT customers_pkey, ADD PRIMARY KEY (store_id, id) INCLUDE (nama, nohp);',
    // With the default a number that happens to be one of a hundred samples counts for common, and all are walked
    'ALTER TABLE customers ALTER COLUMN nama SET STATISTICS 500, ALTER COLUMN nohp SET STATISTICS 500;',
    'DROP INDEX conversations_unread;',
    'CREATE INDEX conversations_unread ON conversations (store_id, team_id, last_at DESC, id DESC) WHERE unread_count > 0;',
  ];
}
