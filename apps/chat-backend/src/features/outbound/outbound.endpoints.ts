import type { Endpoint } from '@platform/http';
import { endpoint, everyVariant } from '../../endpoint';
import { resultText } from '../records/result-text';
import { SendMessage, SendReply } from './outbound.dto';
import type { OutboundService } from './outbound.service';

export const outboundEndpoints = (outbound: OutboundService): Endpoint[] => [
  endpoint({
    post: '/v1/send_message',
    summary: 'Sends a text to the customer',
    guard: 'jwt',
    variants: everyVariant,
    tag: 'outbound',
    body: SendMessage,
    reply: SendReply,
    examples: [
      {
        summary: 'no such chat',
        request: { nohp: '628999', instance: 'dev1', team: '3', pesan: 'halo' },
        status: 200,
        response: { result: false, message: 'chat tidak ditemukan', code: 'chat_not_found' },
      },
    ],
    handle: async ({ caller, body }) =>
      resultText(`{"message":"success send message",${(await outbound.sendText(caller, body)).trimStart().slice(1)}`),
  }),
];
