import { endpoint } from '../../endpoint';
import { BroadcastCommand, BroadcastProgressReply, SendBroadcast, SendBroadcastReply } from '../campaigns/public';
import type { BroadcastsService } from './broadcasts.service';

const refusal = (field: string, tag: string, message: string) => ({
  success: false,
  message,
  error: { code: 'VALIDATION', retryable: false, errors: [{ field, tag, message }] },
});
const unknown = {
  success: false,
  message: 'broadcast not found',
  error: { code: 'NOT_FOUND', retryable: false },
};

const routes = { tag: 'messaging', guard: 'perimeter' } as const;

const sendBroadcast = (broadcasts: BroadcastsService) =>
  endpoint({
    ...routes,
    post: '/api/send-broadcast',
    summary: 'Sends one text or file to many, at the pace of a campaign',
    description:
      'Recipients get it one after the other through the campaign lane of the device: unknown numbers and those that opted out are skipped, quiet hours and the daily limit are kept.',
    body: SendBroadcast,
    reply: SendBroadcastReply,
    examples: [
      {
        summary: 'nobody to send to',
        request: { text: 'Halo' },
        status: 422,
        response: refusal('numbers', 'required', 'numbers is required'),
      },
      {
        summary: 'nothing to send',
        request: { numbers: ['08123456789'] },
        status: 422,
        response: refusal('text', 'required', 'text is required'),
      },
      {
        summary: 'pauses that end before they begin',
        request: { numbers: ['08123456789'], text: 'Halo', delay_min: 9, delay_max: 4 },
        status: 422,
        response: refusal('delay_max', 'format', 'delay_max is not valid'),
      },
    ],
    handle: async ({ body }) => ({ message: 'broadcast queued', data: await broadcasts.send(body) }),
  });

const progress = (broadcasts: BroadcastsService) =>
  endpoint({
    ...routes,
    get: '/api/broadcast/{id}',
    summary: 'How far a broadcast is',
    reply: BroadcastProgressReply,
    examples: [{ summary: 'no such broadcast', status: 404, response: unknown }],
    handle: async ({ params }) => ({ message: 'broadcast progress', data: await broadcasts.progress(params.id) }),
  });

const command = (broadcasts: BroadcastsService) =>
  endpoint({
    ...routes,
    post: '/api/broadcast/{id}',
    summary: 'Pauses, resumes or cancels a broadcast; one that has ended stays as it is',
    body: BroadcastCommand,
    reply: BroadcastProgressReply,
    examples: [
      {
        summary: 'no such action',
        request: { action: 'explode' },
        status: 422,
        response: refusal('action', 'oneof', 'action is not valid'),
      },
      { summary: 'no such broadcast', request: { action: 'pause' }, status: 404, response: unknown },
    ],
    handle: async ({ params, body: { action } }) => ({
      message: `success ${action} broadcast`,
      data: await broadcasts.act(params.id, action),
    }),
  });

/** `/api/send-broadcast` and what belongs to it. */
export const broadcastEndpoints = (broadcasts: BroadcastsService) => [
  sendBroadcast(broadcasts),
  progress(broadcasts),
  command(broadcasts),
];
