import { chatInboundEnvelope } from '@platform/envelopes';
import type { Endpoint } from '@platform/http';
import { endpoint, everyVariant } from '../../endpoint';
import { InboxReply, resultText } from '../records/public';
import { chatRefusals, refusals, teamRefusals } from '../tenancy/public';
import {
  ChatRef,
  InboxDetailQuery,
  InboxDetailReply,
  InboxQuery,
  MessageReply,
  PositionQuery,
  PositionReply,
} from './inbox.dto';
import { inboxDetailExamples, inboxPositionExamples, noSuchChatExamples } from './inbox.examples';
import type { InboxService } from './inbox.service';

const inbound = { guard: 'jwt', variants: everyVariant, envelope: chatInboundEnvelope, tag: 'inbound' } as const;

export const inboxEndpoints = (inbox: InboxService): Endpoint[] => [
  endpoint({
    ...inbound,
    post: '/v1/chat_inbox',
    summary: 'Messages of one conversation, counted from the newest, oldest first',
    body: InboxQuery,
    reply: InboxReply,
    refuses: [...teamRefusals, refusals.chatNotFound, refusals.tooBroad],
    examples: noSuchChatExamples(),
    handle: async ({ caller, body }) => resultText(await inbox.inbox(caller, body)),
  }),
  endpoint({
    ...inbound,
    post: '/v1/chat_inbox_position',
    summary: 'Position of one message in its conversation',
    body: PositionQuery,
    reply: PositionReply,
    refuses: [refusals.messageNotFound],
    // Contract, errors: "chat_inbox_position: body cannot be parsed | 200 | result false, message = error text"
    malformed: 'rejected',
    examples: inboxPositionExamples,
    handle: ({ caller, body }) => inbox.position(caller, body),
  }),
  endpoint({
    ...inbound,
    post: '/v1/chat_newinbox',
    summary: 'What the customer wrote since the conversation was last read',
    body: ChatRef,
    reply: InboxReply,
    refuses: [...teamRefusals, refusals.chatNotFound],
    examples: noSuchChatExamples(),
    handle: async ({ caller, body }) => resultText(await inbox.unseen(caller, body)),
  }),
  endpoint({
    ...inbound,
    post: '/v1/chat_markread',
    summary: 'Marks the whole conversation as read',
    body: ChatRef,
    reply: MessageReply,
    refuses: chatRefusals,
    examples: noSuchChatExamples(),
    handle: async ({ caller, body }) => {
      await inbox.markRead(caller, body);
      return { message: 'success mark as read' };
    },
  }),
  endpoint({
    ...inbound,
    post: '/v1/chat_inboxdetail',
    summary: 'One message',
    body: InboxDetailQuery,
    reply: InboxDetailReply,
    refuses: [refusals.messageNotFound],
    examples: inboxDetailExamples,
    handle: async ({ caller, body }) => resultText(await inbox.detail(caller, body.chatInboxId)),
  }),
];
