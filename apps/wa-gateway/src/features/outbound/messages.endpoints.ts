import { endpoint } from '../../endpoint';
import type { MediaService } from './media.service';
import { SendLocation, SendMedia, SendMediaReply, SendMessage, SendMessageReply } from '../messages/public';
import type { MessagesService } from './messages.service';

const VALIDATION = { code: 'VALIDATION', retryable: false };

const refusal = (field: string, tag: string, message: string) => ({
  success: false,
  message,
  error: { ...VALIDATION, errors: [{ field, tag, message }] },
});

const MEGABYTE = 1024 * 1024;
const routes = { tag: 'messaging', guard: 'perimeter' } as const;

const sendMedia = (media: MediaService) =>
  endpoint({
    ...routes,
    post: '/api/send-media',
    summary: 'Sends a picture, film, document, sound or sticker',
    description: 'The file comes as the part `file` of a form, or as one of url, file and base64.',
    accepts: ['json', 'multipart'],
    bodyLimit: 26 * MEGABYTE,
    formLimit: 101 * MEGABYTE,
    files: { file: { maxBytes: 100 * MEGABYTE } },
    body: SendMedia,
    reply: SendMediaReply,
    examples: [
      {
        summary: 'no file',
        request: { number: '08123456789', type: 'image' },
        status: 422,
        response: refusal('file', 'required', 'file is required'),
      },
      {
        summary: 'no such type',
        request: { number: '08123456789', type: 'hologram', url: 'https://shop.example/a.jpg' },
        status: 422,
        response: refusal('type', 'oneof', 'type is not valid'),
      },
    ],
    handle: async ({ body, files }) => {
      const data = await media.send(body, files[0]);
      return { message: data.duplicate ? 'message already accepted' : 'success send media', data };
    },
  });

const sendLocation = (messages: MessagesService) =>
  endpoint({
    ...routes,
    post: '/api/send-location',
    summary: 'Sends a place',
    body: SendLocation,
    reply: SendMessageReply,
    examples: [
      {
        summary: 'beyond the pole',
        request: { number: '08123456789', latitude: '90.1', longitude: '106.8' },
        status: 422,
        response: refusal('latitude', 'max', 'latitude is not valid'),
      },
    ],
    handle: async ({ body }) => {
      const data = await messages.sendLocation(body);
      return { message: data.duplicate ? 'message already accepted' : 'success send location', data };
    },
  });

const sendMessage = (messages: MessagesService) =>
  endpoint({
    ...routes,
    post: '/api/send-message',
    summary: 'Sends a text, poll or reaction, or only tells sockets when data names no number',
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
  });

export const messageEndpoints = (messages: MessagesService, media: MediaService) => [
  sendMessage(messages),
  sendMedia(media),
  sendLocation(messages),
];
