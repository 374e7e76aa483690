import type { Transaction } from '@platform/data';
import { noticeRow, writePushes, type PushAddress } from '../push/public';
import type { WriteNotice } from './customer.notices';

/** The conversation's line, and where that goes. No row: the conversation was never committed, and nobody has read of it. */
const LINE = `
  WITH line AS (
    INSERT INTO bot_messages (store_id, conv_id, role, content) SELECT c.store_id, c.id, 'assistant', $3
    FROM bot_conversations c WHERE c.store_id = $1 AND c.id = $2 RETURNING conv_id
  )
  SELECT c.store_id AS "storeId", c.id_user AS customer, c.instance_id AS "instanceId", c.team, c.chat_id AS "chatId"
  FROM line JOIN bot_conversations c ON c.store_id = $1 AND c.id = line.conv_id`;

type Address = { readonly [Name in keyof PushAddress]-?: string | null };

const addressOf = (row: Address): PushAddress =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as PushAddress;

/** Into the outbox to chat-backend, in the lane of the conversation. */
export const writeNotice: WriteNotice = async (tx: Transaction, notice) => {
  const { storeId, conversationId, text } = notice;
  const [to] = await tx.query<Address>(LINE, [storeId, conversationId, text]);
  if (to) await writePushes(tx, conversationId, [noticeRow(addressOf(to), notice)]);
};
