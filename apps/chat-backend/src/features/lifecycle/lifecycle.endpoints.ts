import type { Endpoint } from '@platform/http';
import { endpoint, everyVariant } from '../../endpoint';
import { noSuchChatExamples } from '../inbox/public';
import { resultText } from '../records/public';
import { actorRefusals, refusals } from '../tenancy/public';
import { FinishChat, HandleChat, LifecycleReply, MoveChat, OpenChat, PendingChat } from './lifecycle.dto';
import type { LifecycleService } from './lifecycle.service';

/** What all lifecycle calls refuse; the table of `transition` has the rest. */
export const changing = [...actorRefusals, refusals.chatBusy] as const;

/** What all lifecycle calls have in common; their examples name a chat that nobody has. */
export const lifecycle = (more: object = {}) =>
  ({
    guard: 'jwt',
    variants: everyVariant,
    tag: 'lifecycle',
    reply: LifecycleReply,
    examples: noSuchChatExamples(more),
  }) as const;

/** `{"result":true,"message":…,` before the members that the service answers. */
export const lifecycleText = (message: string, members: string) =>
  resultText(`{"message":"${message}",${members.trimStart().slice(1)}`);

export const lifecycleEndpoints = (chats: LifecycleService): Endpoint[] => [
  endpoint({
    ...lifecycle(),
    post: '/v1/handle_chat',
    summary: 'Takes the chat: it is handled by one person',
    body: HandleChat,
    refuses: [...changing, refusals.chatHandled],
    handle: async ({ caller, body }) => lifecycleText('success handle chat', await chats.handle(caller, body)),
  }),
  endpoint({
    ...lifecycle(),
    post: '/v1/chat_open',
    summary: 'Gives the chat back to the team, or opens a finished one again',
    body: OpenChat,
    refuses: changing,
    handle: async ({ caller, body }) => lifecycleText('success open chat', await chats.open(caller, body)),
  }),
  endpoint({
    ...lifecycle(),
    post: '/v1/chat_pending',
    summary: 'Sets the chat aside until a time, or until the customer writes',
    body: PendingChat,
    refuses: [...changing, refusals.chatFinished],
    handle: async ({ caller, body }) => lifecycleText('success pending chat', await chats.pending(caller, body)),
  }),
  endpoint({
    ...lifecycle(),
    post: '/v1/chat_finish',
    summary: 'Ends the chat; what was unread is read, an open escalation is closed',
    body: FinishChat,
    refuses: changing,
    handle: async ({ caller, body }) => lifecycleText('success finish chat', await chats.finish(caller, body)),
  }),
  endpoint({
    ...lifecycle({ to_team: '3' }),
    post: '/v1/chat_move',
    summary: 'Hands the chat to another team, to one of its people, or to a warehouse',
    body: MoveChat,
    refuses: [...changing, refusals.chatFinished],
    handle: async ({ caller, body }) => lifecycleText('success move chat', await chats.move(caller, body)),
  }),
];
