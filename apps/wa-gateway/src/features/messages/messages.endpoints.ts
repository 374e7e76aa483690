import { endpoint } from '../../endpoint';
import { SendMessage, SendMessageReply } from './messages.dto';
import type { MessagesService } from './messages.service';

const VALIDATION = { code: 'VALIDATION', retryable: false };

const refusal = (field: string, tag: string, message: string) => ({
  success: false,
  message,
  error: { ...VALIDATION, errors: [{ field, tag, message }] },
});

export const messageEndpoints = (messages: MessagesService) => [
  endpoint({
    post: '/api/send-message',
    summary: 'Sends a text message, or only tells sockets when data names no number',
    tag: 'messaging',
    guard: 'perimeter',
    body: SendMessage,
    reply: SendMessageReply,
    examples: [
      {
        summary: 'no pesan_id',
        request: { role: 'agent', data: {} },
        status: 422,
        response: refusal('pesan_id', 'required', 'pesan_id is required'),
      },
      {
        summary: 'nothing to send',
        request: { pesan_id: 'P-1', role: 'agent', data: { number: '08123456789' } },
        status: 422,
        response: refusal('text', 'required', 'text is required'),
      },
      {
        summary: 'not a number',
        request: { pesan_id: 'P-1', role: 'agent', data: { number: 'Budi', text: 'Halo' } },
        status: 422,
        response: refusal('number', 'number_format', 'number format not valid'),
      },
      {
        summary: 'sockets only',
        request: { pesan_id: 'P-1', role: 'agent', data: { note: 'seen' } },
        status: 200,
        response: {
          success: true,
          message: 'success send message',
          data: { pesan_id: 'P-1', role: 'agent', status: null, delivery: 'realtime', clients: 0 },
        },
      },
    ],
    handle: async ({ body }) => {
      const data = await messages.send(body);
      return { message: data.duplicate ? 'message already accepted' : 'success send message', data };
    },
  }),
];
