import { ForwardMigration } from '@platform/data';

/**
 * What belongs to one chat of a customer, who may write to several numbers of a shop: where its team's words were heard last, and
 * whether people have it. The same columns of `bot_conversations` are those of callers who name no chat, and of builds before.
 */
export class ChatsOfACustomer1763905300000 extends ForwardMigration {
  readonly steps = [
    `CREATE TABLE bot_chats (
       store_id text NOT NULL,
       conv_id uuid NOT NULL,
       chat text NOT NULL,
       since_seq bigint,
       handover_at timestamptz,
       handover_reason text,
       handover_run_id uuid,
       handover_episode integer,
       resume_at timestamptz,
       updated_at timestamptz NOT NULL DEFAULT now(),
       PRIMARY KEY (store_id, conv_id, chat),
       FOREIGN KEY (store_id, conv_id) REFERENCES bot_conversations (store_id, id) ON DELETE CASCADE)`,
  ];
}
