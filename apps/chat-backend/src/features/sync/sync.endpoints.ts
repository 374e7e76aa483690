import { chatServiceEnvelope } from '@platform/envelopes';
import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { refusals } from '../tenancy/public';
import type { Pushes } from './every-source';
import { SyncReply, SyncRequest } from './sync.dto';
import { syncExamples } from './sync.examples';

const MEGABYTE = 1024 * 1024;

export const syncEndpoints = (pushes: Pushes): Endpoint[] => [
  endpoint({
    post: '/internal/sync',
    summary: 'Takes over stores, people, teams, devices, contacts, orders, rules and texts that commerce-api owns',
    description:
      'A row is applied when its `updated_at` is newer than any version of it seen before; repeating or reordering calls is harmless. Two changes within one millisecond need two versions: the later one is the greater of the time and the last version + 1. 503: not every data source has taken it; repeat it.',
    guard: 'service',
    internal: true,
    envelope: chatServiceEnvelope,
    tag: 'internal',
    bodyLimit: 5 * MEGABYTE,
    body: SyncRequest,
    reply: SyncReply,
    refuses: [refusals.forbidden],
    examples: syncExamples,
    handle: async ({ caller, body }) => ({ message: 'success sync', data: await pushes.sync(caller, body) }),
  }),
];
