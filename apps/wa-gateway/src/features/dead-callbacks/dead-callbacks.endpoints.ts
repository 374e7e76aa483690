import { endpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import { DeadQuery, DeadReply, ReplayDead, ReplayedReply } from './dead-callbacks.dto';
import { replayExamples } from './dead-callbacks.examples';
import type { DeadCallbacks } from './dead-callbacks.service';

export const deadCallbackEndpoints = (dead: DeadCallbacks) => [
  endpoint({
    get: '/api/webhook/dead',
    summary: 'Callbacks that the receiver did not take, newest first',
    description: 'Of all devices unless one is named. They are kept until they are replayed.',
    tag: 'webhook',
    guard: 'perimeter',
    query: DeadQuery,
    reply: DeadReply,
    refuses: [refusals.deviceNotFound],
    handle: async ({ query }) => ({ message: 'dead callbacks', data: await dead.list(query) }),
  }),
  endpoint({
    post: '/api/webhook/replay',
    summary: 'Sends callbacks again that the receiver did not take',
    description: 'They go to the end of the lane of their chat, with the event id that they had.',
    tag: 'webhook',
    guard: 'perimeter',
    body: ReplayDead,
    reply: ReplayedReply,
    refuses: [refusals.deviceNotFound],
    examples: replayExamples,
    handle: async ({ body }) => ({ message: 'callbacks replayed', data: { replayed: await dead.replay(body) } }),
  }),
];
