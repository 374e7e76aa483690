import type { Transaction } from '@platform/data';
import { enqueueRows, type OutboxKind } from '@platform/outbox';
import type { PushedBubble } from '../../clients/chat.client';
import type { CustomerNotice, WriteNotice } from './customer.notices';

export const NOTICE: OutboxKind = { name: 'notice', effect: 'outside' };

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

const bubbleOf = ({ storeId, key, text, onlyIfOpen }: CustomerNotice, to: Address): PushedBubble => ({
  ...{ storeId, customer: to.id_user, instanceId: to.instance_id ?? '', team: to.team ?? '' },
  ...(to.chat_id !== null && { chatId: to.chat_id }),
  ...{ id: `bot-${key.replaceAll(':', '-')}`, content: { text }, onlyIfOpen },
});

/** Into the outbox to chat-backend, in the lane of the conversation. */
export const writeNotice: WriteNotice = async (tx: Transaction, notice: CustomerNotice) => {
  const { storeId, conversationId: lane, key: dedupeKey, text } = notice;
  const [to] = await tx.query<Address>(LINE, [storeId, lane, text]);
  if (!to) return;
  await enqueueRows(tx, [{ lane, target: 'chat-backend', kind: NOTICE, payload: bubbleOf(notice, to), dedupeKey }]);
};
