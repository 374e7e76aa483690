import { endpoint } from '../../endpoint';
import { mediaRefusals, sendRefusals } from '../../refusals';
import type { MediaService } from './media.service';
import { SendLocation, SendMedia, SendMediaReply, SendMessage, SendMessageReply } from '../messages/public';
import { sendLocationExamples, sendMediaExamples, sendMessageExamples } from './messages.examples';
import type { MessagesService } from './messages.service';

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
    refuses: [...sendRefusals, ...mediaRefusals],
    examples: sendMediaExamples,
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
    refuses: sendRefusals,
    examples: sendLocationExamples,
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
    refuses: sendRefusals,
    examples: sendMessageExamples,
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
