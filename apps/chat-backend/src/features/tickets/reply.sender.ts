import type { Transaction } from '@platform/data';
import { composeAs, previewOf, type OutboundMessage, type OutboundRepository } from '../outbound/public';
import type { ConversationKey } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import { refusals } from '../tenancy/public';
import type { ReplyToTicket } from './desk.dto';

/** A reply as a message: its id is the reply's, so however often it is made it is sent once. */
const messageOf = ({ balasanId, pesan, url, user_id: user }: ReplyToTicket): OutboundMessage => {
  const chat = { nohp: '-', instance: '-', team: '-', pesan };
  const content = url === undefined ? composeAs('chat', chat) : composeAs('link', { ...chat, url });
  return {
    pesan_id: balasanId.toLowerCase(),
    role: user === undefined ? 'system' : 'agent',
    user_id: user ?? null,
    type: content.type,
    pesan: content.text ?? null,
    detail: content.detail ?? null,
    quote: null,
    preview: previewOf(content),
  };
};

/**
 * Puts a ticket's reply into its chat, in the caller's transaction; whoever replies takes the chat as with any message of
 * theirs. Throws `duplicate` when another message has the reply's id: the reply would be kept and never sent.
 */
export const sendReply = async (
  tx: Transaction,
  chat: ConversationKey,
  reply: ReplyToTicket,
  { sends, announcer }: { sends: OutboundRepository; announcer: ChatAnnouncer },
): Promise<void> => {
  const conditions = { ifStatus: undefined, actor: reply.user_id };
  const sent = await sends.in(tx).send(chat, [messageOf(reply)], conditions);
  if (sent.length === 0) throw refusals.duplicate();
  tx.afterCommit(() => {
    for (const { body, taken } of sent) {
      const { data, chat_list: list } = JSON.parse(body) as { data: object; chat_list: { chatId: string } };
      announcer.newMessage(data, list);
      if (taken) announcer.history(list.chatId, [taken]);
    }
  });
};
