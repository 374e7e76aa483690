import { ForwardMigration } from '@platform/data';

/** What chat-backend has told, once for every id: neither tickets nor messages, which it keeps itself. */
export class ChatEvents1763910300000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE chat_event (
      store_id varchar(36) NOT NULL REFERENCES store (store_id) ON DELETE CASCADE,
      id varchar(160) NOT NULL,
      kind text NOT NULL,
      data jsonb NOT NULL,
      told_at timestamptz NOT NULL,
      done_at timestamptz,
      PRIMARY KEY (store_id, id)
    )`,
    `COMMENT ON COLUMN chat_event.done_at IS 'when all that follows from it was done; null: a job has yet to do it'`,
  ];
}
