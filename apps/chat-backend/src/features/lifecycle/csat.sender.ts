import type { Transaction } from '@platform/data';
import { cut, uuidv5 } from '@platform/runtime';
import type { OutboundRepository } from '../outbound/public';
import { mayBeAsked, type ConversationKey } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';

const QUESTION = `
  SELECT s.settings->>'csat_text' AS text, c.episode FROM conversations c JOIN stores s ON s.store_id = c.store_id
  WHERE c.store_id = $1 AND c.id = $2 AND ${mayBeAsked('c')}`;

/** Asks the customer for feedback: the store's own text, once per episode; nothing when it has none, nor to who wants no messages or is blocked. */
export const sendCsat =
  ({ sends, announcer }: { sends: OutboundRepository; announcer: ChatAnnouncer }, chat: ConversationKey) =>
  async (tx: Transaction): Promise<void> => {
    const [question] = await tx.prepared<{ text: string | null; episode: number }>('lifecycle_csat', QUESTION, [
      chat.storeId,
      chat.conversationId,
    ]);
    if (!question?.text) return;
    const { text, episode } = question;
    const message = {
      pesan_id: uuidv5(chat.conversationId, `csat ${episode}`),
      role: 'system',
      user_id: null,
      type: 'chat',
      pesan: text,
      detail: null,
      quote: null,
      preview: cut(text, 200),
    } as const;
    const sent = await sends.in(tx).send(chat, [message], { ifStatus: undefined, actor: undefined });
    tx.afterCommit(() => {
      for (const { body } of sent) {
        const { data, chat_list: list } = JSON.parse(body) as { data: object; chat_list: object };
        announcer.newMessage(data, list);
      }
    });
  };
