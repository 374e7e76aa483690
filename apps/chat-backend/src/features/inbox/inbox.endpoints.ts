import { chatInboundEnvelope } from '@platform/envelopes';
import type { Endpoint } from '@platform/http';
import { endpoint, everyVariant } from '../../endpoint';
import { InboxReply, resultText } from '../records/public';
import {
  ChatRef,
  InboxDetailQuery,
  InboxDetailReply,
  InboxQuery,
  MessageReply,
  PositionQuery,
  PositionReply,
} from './inbox.dto';
import type { InboxService } from './inbox.service';

const inbound = { guard: 'jwt', variants: everyVariant, envelope: chatInboundEnvelope, tag: 'inbound' } as const;
const CHAT = { nohp: '6281234567890', instance: 'dev1', team: '3' };
const NOT_FOUND = {
  summary: 'no such chat',
  request: { ...CHAT, nohp: '628999' },
  status: 200,
  response: { result: false, message: 'chat tidak ditemukan', code: 'chat_not_found' },
};

export const inboxEndpoints = (inbox: InboxService): Endpoint[] => [
  endpoint({
    ...inbound,
    post: '/v1/chat_inbox',
    summary: 'Messages of one conversation, counted from the newest, oldest first',
    body: InboxQuery,
    reply: InboxReply,
    examples: [NOT_FOUND],
    handle: async ({ caller, body }) => resultText(await inbox.inbox(caller, body)),
  }),
  endpoint({
    ...inbound,
    post: '/v1/chat_inbox_position',
    summary: 'Position of one message in its conversation',
    body: PositionQuery,
    reply: PositionReply,
    // Contract, errors: "chat_inbox_position: body cannot be parsed | 200 | result false, message = error text"
    malformed: 'rejected',
    examples: [
      {
        summary: 'unknown message',
        request: { pesan_id: 'none', nohp: '6281234567890', instance: 'dev1' },
        status: 200,
        response: { result: false, message: 'pesan tidak ditemukan', code: 'message_not_found' },
      },
    ],
    handle: ({ caller, body }) => inbox.position(caller, body),
  }),
  endpoint({
    ...inbound,
    post: '/v1/chat_newinbox',
    summary: 'What the customer wrote since the conversation was last read',
    body: ChatRef,
    reply: InboxReply,
    examples: [NOT_FOUND],
    handle: async ({ caller, body }) => resultText(await inbox.unseen(caller, body)),
  }),
  endpoint({
    ...inbound,
    post: '/v1/chat_markread',
    summary: 'Marks the whole conversation as read',
    body: ChatRef,
    reply: MessageReply,
    examples: [NOT_FOUND],
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
    examples: [
      {
        summary: 'unknown message',
        request: { chatInboxId: 'S1.none' },
        status: 200,
        response: { result: false, message: 'pesan tidak ditemukan', code: 'message_not_found' },
      },
    ],
    handle: async ({ caller, body }) => resultText(await inbox.detail(caller, body.chatInboxId)),
  }),
];
