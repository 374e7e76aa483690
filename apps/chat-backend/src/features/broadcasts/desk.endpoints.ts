import type { Endpoint } from '@platform/http';
import { endpoint } from '../../endpoint';
import { resultText } from '../records/public';
import { refusals } from '../tenancy/public';
import type { BroadcastDesk } from './broadcast.desk';
import {
  ActOnBroadcast,
  AddRecipients,
  BroadcastDeleted,
  BroadcastList,
  BroadcastQuery,
  BroadcastReply,
  BroadcastStore,
  FillBroadcast,
  RecipientList,
  RecipientQuery,
  SaveBroadcast,
} from './broadcast.dto';

const MEGABYTE = 1024 * 1024;
const internal = { guard: 'service', internal: true, tag: 'internal' } as const;
const listed = (members: string) => resultText(`{"message":"success",${members.slice(1)}`);
const reply = (message: string, data: object): BroadcastReply => ({ message, data: data as BroadcastReply['data'] });

/** Campaigns behind commerce-api's `/broadcast` (design 2.9); `{id}` is the caller's UUID, or a `broadcastId`. */
export const broadcastDeskEndpoints = (desk: BroadcastDesk): Endpoint[] => [
  endpoint({
    ...internal,
    put: '/internal/broadcasts/{id}',
    summary: 'Makes or replaces a campaign that has not begun, under a UUID of the caller',
    bodyLimit: 5 * MEGABYTE,
    body: SaveBroadcast,
    reply: BroadcastReply,
    refuses: [
      refusals.forbidden,
      refusals.deviceNotFound,
      refusals.teamNotFound,
      refusals.userNotFound,
      refusals.broadcastNotFound,
      refusals.templateNotFound,
      refusals.broadcastStarted,
      refusals.broadcastChanged,
      refusals.statusChanged,
    ],
    handle: async ({ caller, params, body }) =>
      reply('success save broadcast', await desk.save(caller, params.id, body)),
  }),
  endpoint({
    ...internal,
    delete: '/internal/broadcasts/{id}',
    summary: 'Deletes a draft',
    query: BroadcastStore,
    reply: BroadcastDeleted,
    refuses: [refusals.forbidden, refusals.broadcastNotFound, refusals.broadcastStarted, refusals.statusChanged],
    handle: async ({ caller, params, query }) => {
      await desk.remove(caller, params.id, query.store_id);
      return { message: 'success delete broadcast' };
    },
  }),
  endpoint({
    ...internal,
    put: '/internal/broadcasts/{id}/recipients',
    summary: 'Begins to fill a campaign anew: nobody is in it but whom this filling adds',
    body: FillBroadcast,
    reply: BroadcastReply,
    refuses: [refusals.forbidden, refusals.broadcastNotFound, refusals.broadcastStarted, refusals.statusChanged],
    handle: async ({ caller, params, body }) =>
      reply('success fill broadcast', await desk.fill(caller, params.id, body)),
  }),
  endpoint({
    ...internal,
    post: '/internal/broadcasts/{id}/recipients',
    summary: 'Adds recipients before the start; a number that is there already changes nothing',
    bodyLimit: 5 * MEGABYTE,
    body: AddRecipients,
    reply: BroadcastReply,
    refuses: [
      refusals.forbidden,
      refusals.broadcastNotFound,
      refusals.broadcastStarted,
      refusals.broadcastChanged,
      refusals.statusChanged,
    ],
    handle: async ({ caller, params, body }) =>
      reply('success add recipients', await desk.addRecipients(caller, params.id, body)),
  }),
  endpoint({
    ...internal,
    post: '/internal/broadcasts/{id}/action',
    summary: 'Starts, schedules, pauses, resumes or cancels a campaign',
    body: ActOnBroadcast,
    reply: BroadcastReply,
    refuses: [
      refusals.forbidden,
      refusals.broadcastNotFound,
      refusals.broadcastStarted,
      refusals.broadcastChanged,
      refusals.statusChanged,
      refusals.tooBroad,
    ],
    handle: async ({ caller, params, body }) =>
      reply(`success ${body.aksi} broadcast`, await desk.act(caller, params.id, body)),
  }),
  endpoint({
    ...internal,
    get: '/internal/broadcasts',
    summary: 'Campaigns of a store, newest first',
    query: BroadcastQuery,
    reply: BroadcastList,
    refuses: [refusals.forbidden],
    handle: async ({ caller, query }) => listed(await desk.list(caller, query)),
  }),
  endpoint({
    ...internal,
    get: '/internal/broadcasts/{id}',
    summary: 'One campaign',
    query: BroadcastStore,
    reply: BroadcastReply,
    refuses: [refusals.forbidden, refusals.broadcastNotFound],
    handle: async ({ caller, params, query }) => reply('success', await desk.one(caller, params.id, query.store_id)),
  }),
  endpoint({
    ...internal,
    get: '/internal/broadcasts/{id}/recipients',
    summary: 'Recipients of a campaign in the order of sending',
    query: RecipientQuery,
    reply: RecipientList,
    refuses: [refusals.forbidden, refusals.broadcastNotFound],
    handle: async ({ caller, params, query }) => listed(await desk.recipients(caller, params.id, query)),
  }),
];
