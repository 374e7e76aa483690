import { createHash } from 'node:crypto';
import type { Cache } from '@platform/data';
import { botTextEnvelope } from '@platform/envelopes';
import { PlainText, type Endpoint } from '@platform/http';
import type { Emitter } from '@platform/realtime';
import { endpoint } from '../../endpoint';
import { retrySoon } from '../../retry-soon';
import { NoticeRequest } from './notice.dto';
import type { BotEvents, NewMessageNotice } from './notice.events';
import { notifyNewMessageExamples } from './notice.examples';

/** Tells chats apart without naming the customer. */
const digestOf = ({ idStore, instanceID = '', idUser }: NoticeRequest): string =>
  createHash('sha256').update([idStore, instanceID, idUser].join('\0')).digest('hex').slice(0, 16);

const noticeOf = (request: NoticeRequest): NewMessageNotice => ({
  idStore: request.idStore,
  chatId: request.chatId ?? digestOf(request),
  idMessage: request.idMessage,
  type: request.type ?? null,
  timestamp: request.timestamp ?? null,
});

export const noticeEndpoints = (realtime: Emitter<BotEvents>, cache: Pick<Cache, 'check'>): Endpoint[] => [
  endpoint({
    post: '/api/notify-new-message',
    summary: 'Tells every realtime client that a store received a message',
    description: 'Event newMessage with ids only; clients read the message itself through chat-backend.',
    tag: 'realtime',
    guard: 'jwt',
    body: NoticeRequest,
    bodyLimit: 256 * 1024,
    rate: { requests: 600, perSeconds: 60, by: 'caller' },
    envelope: botTextEnvelope,
    reply: 'text',
    refuses: [],
    examples: notifyNewMessageExamples,
    handle: async ({ body }) => {
      // While Redis is down the event would reach the clients of this replica only
      await retrySoon(Promise.resolve(cache.check?.()));
      realtime.emit('everyone', 'newMessage', noticeOf(body));
      return new PlainText('Notification send to client');
    },
  }),
];
