import type { Transaction } from '@platform/data';
import { noticeRow, writePushes, type PushAddress } from '../push/public';
import type { CustomerNotice, WriteNotice } from './customer.notices';

interface Address {
  readonly id_user: string;
  readonly instance_id: string | null;
  readonly chat_id: string | null;
  readonly team: string | null;
}

/** The conversation's line; its row is where it goes. No row: the conversation was never committed, and nobody has read of it. */
const LINE = `
  WITH line AS (
    INSERT INTO bot_messages (store_id, conv_id, role, content) SELECT c.store_id, c.id, 'assistant', $3
    FROM bot_conversations c WHERE c.store_id = $1 AND c.id = $2 RETURNING conv_id
  )
  SELECT c.id_user, c.instance_id, c.chat_id, c.team FROM line JOIN bot_conversations c ON c.store_id = $1 AND c.id = line.conv_id`;

const addressOf = (storeId: string, { id_user, instance_id, chat_id, team }: Address): PushAddress => ({
  ...{ storeId, customer: id_user, instanceId: instance_id ?? undefined },
  ...{ team: team ?? undefined, chatId: chat_id ?? undefined },
});

/** Into the outbox to chat-backend, in the lane of the conversation. */
export const writeNotice: WriteNotice = async (tx: Transaction, notice: CustomerNotice) => {
  const { storeId, conversationId, text } = notice;
  const [to] = await tx.query<Address>(LINE, [storeId, conversationId, text]);
  if (!to) return;
  await writePushes(tx, conversationId, [noticeRow(addressOf(storeId, to), notice)]);
};
