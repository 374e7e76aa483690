import { chatInboundEnvelope } from '@platform/envelopes';
import type { Endpoint } from '@platform/http';
import { endpoint, everyVariant } from '../../endpoint';
import { resultOf } from '../records/public';
import { refusals, teamRefusals } from '../tenancy/public';
import { ChatListQuery, ChatListReply } from './chat-list.dto';
import { chatListExamples } from './chat-list.examples';
import type { ChatListService } from './chat-list.service';

export const chatListEndpoints = (list: ChatListService): Endpoint[] => [
  endpoint({
    post: '/v1/chat_list',
    summary: 'Conversations, the one with the newest message first',
    guard: 'jwt',
    variants: everyVariant,
    envelope: chatInboundEnvelope,
    tag: 'inbound',
    body: ChatListQuery,
    reply: ChatListReply,
    refuses: [...teamRefusals, refusals.tooBroad],
    examples: chatListExamples,
    handle: async ({ caller, body }) => resultOf(await list.list(caller, body)),
  }),
];
