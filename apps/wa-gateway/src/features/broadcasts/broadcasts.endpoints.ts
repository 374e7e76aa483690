import { endpoint } from '../../endpoint';
import { mediaRefusals, readyRefusals, refusals } from '../../refusals';
import { BroadcastCommand, BroadcastProgressReply, SendBroadcast, SendBroadcastReply } from '../campaigns/public';
import { commandExamples, progressExamples, sendBroadcastExamples } from './broadcasts.examples';
import type { BroadcastsService } from './broadcasts.service';

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
    refuses: [...readyRefusals, refusals.unsupported, ...mediaRefusals],
    examples: sendBroadcastExamples,
    handle: async ({ body }) => ({ message: 'broadcast queued', data: await broadcasts.send(body) }),
  });

const progress = (broadcasts: BroadcastsService) =>
  endpoint({
    ...routes,
    get: '/api/broadcast/{id}',
    summary: 'How far a broadcast is',
    reply: BroadcastProgressReply,
    refuses: [refusals.broadcastNotFound],
    examples: progressExamples,
    handle: async ({ params }) => ({ message: 'broadcast progress', data: await broadcasts.progress(params.id) }),
  });

const command = (broadcasts: BroadcastsService) =>
  endpoint({
    ...routes,
    post: '/api/broadcast/{id}',
    summary: 'Pauses, resumes or cancels a broadcast; one that has ended stays as it is',
    body: BroadcastCommand,
    reply: BroadcastProgressReply,
    refuses: [refusals.broadcastNotFound],
    examples: commandExamples,
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
