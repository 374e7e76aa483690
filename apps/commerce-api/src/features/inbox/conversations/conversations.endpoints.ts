import { area, cursorPage, dataOf, listOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { OWNER_AWAY, ownersConflict } from '../../../clients/face';
import { rowEndpoint } from '../../../endpoint';
import { OwnersKey, ownersId } from '../../../owners-id';
import { refusals } from '../../../refusals';
import { ConversationMessage, NewConversationMessage } from '../messages/public';
import { conversationId } from './conversation.id';
import {
  Conversation,
  ConversationAssignment,
  ConversationClosing,
  ConversationsQuery,
  ConversationWindow,
} from './conversations.dto';
import type { ConversationsService } from './conversations.service';

interface ConversationRoutes {
  readonly conversations: ConversationsService;
  readonly by: ReturnType<typeof byOf>;
}

const endpoint = rowEndpoint.withDefaults({ params: { id: conversationId } });
const allChats = () => refusals.abilityMissing('chat.all');
const AWAY = ['notFound', allChats, ...OWNER_AWAY] as const;
const busy = ownersConflict('chat_busy');
const finished = ownersConflict('chat_finished');

const reads = ({ conversations }: ConversationRoutes): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'Conversations visible to me',
    description:
      'Users see those of their chat teams; an API token sees them all, or none when its maker lacks `chat.all`.',
    guard: 'member',
    query: ConversationsQuery,
    reply: cursorPage(Conversation),
    refuses: [ownersConflict('too_broad'), ...AWAY],
    handle: ({ caller, query }) => conversations.list(caller, query),
  }),
  endpoint({
    get: '/{id}/messages',
    summary: 'Messages of a conversation',
    description: 'The newest ones, in the order in which they were written.',
    guard: 'member',
    query: ConversationWindow,
    reply: listOf(ConversationMessage),
    refuses: AWAY,
    handle: ({ caller, params, query }) => conversations.messages(caller, params.id, query),
  }),
];

const writes = ({ conversations, by }: ConversationRoutes): Endpoint[] => [
  endpoint({
    post: '/{id}/messages',
    summary: 'Reply in a conversation',
    guard: 'chat.reply',
    status: 201,
    headers: OwnersKey,
    body: NewConversationMessage,
    reply: dataOf(ConversationMessage, 'Message created'),
    refuses: [busy, ownersConflict('duplicate'), ownersConflict('device_offline'), ...AWAY],
    handle: (input) => {
      const id = ownersId(by(input), 'message', input.headers);
      return conversations.reply(input.caller, input.params.id, id, input.body);
    },
  }),
  endpoint({
    post: '/{id}/assign',
    summary: 'Hand conversation to agent or team',
    guard: 'chat.reply',
    body: ConversationAssignment,
    reply: dataOf(Conversation, 'Conversation updated'),
    refuses: [busy, finished, ownersConflict('chat_handled'), ...AWAY],
    handle: ({ caller, params, body }) => conversations.assign(caller, params.id, body),
  }),
  endpoint({
    post: '/{id}/close',
    summary: 'Finish a conversation',
    guard: 'chat.reply',
    body: ConversationClosing,
    reply: dataOf(Conversation, 'Conversation updated'),
    refuses: [busy, ...AWAY],
    handle: ({ caller, params, body }) => conversations.close(caller, params.id, body),
  }),
];

/** Conversations: a face over chat-backend, which owns them. */
export const conversationsEndpoints = (routes: ConversationRoutes): Endpoint[] =>
  area({ prefix: '/api/livechat/conversations', tag: 'Chat' }, [...reads(routes), ...writes(routes)]);
