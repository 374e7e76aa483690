import { chatSchedulerEnvelope } from '@platform/envelopes';
import { InvalidInput } from '@platform/errors';
import { CustomBody, type Endpoint } from '@platform/http';
import { parse, type DtoClass } from '@platform/validation';
import { endpoint } from '../../endpoint';
import { refusals, teamRefusals } from '../tenancy/public';
import {
  BroadcastReply,
  ScheduleBroadcast,
  SchedulerReply,
  SchedulerRequest,
  SendBroadcast,
  SteerBroadcast,
} from './broadcast.dto';
import { schedulerExamples, sendBroadcastExamples } from './broadcast.examples';
import type { BroadcastService } from './broadcast.service';

const MEGABYTE = 1024 * 1024;
/** Contract, general rules: "`_crm` additionally include broadcast and ticket routes"; there is no `_admin` one. */
const route = { guard: 'jwt', variants: ['crm'], tag: 'broadcasts', bodyLimit: 5 * MEGABYTE } as const;

const read = <T extends object>(dto: DtoClass<T>, fields: object): T => {
  const { value, violations } = parse(dto, fields);
  if (violations) throw new InvalidInput(violations);
  return value;
};

const making = [
  ...teamRefusals,
  refusals.forbidden,
  refusals.userNotFound,
  refusals.templateNotFound,
  refusals.broadcastNotFound,
] as const;

/** What one of the three calls of the scheduler's path asks for. */
type SchedulerCall =
  | { readonly kind: 'run' }
  | { readonly kind: 'steer'; readonly request: SteerBroadcast }
  | { readonly kind: 'schedule'; readonly request: ScheduleBroadcast };

const schedulerCall = (fields: Readonly<Record<string, unknown>>): SchedulerCall => {
  if (Object.keys(fields).length === 0) return { kind: 'run' };
  return 'aksi' in fields
    ? { kind: 'steer', request: read(SteerBroadcast, fields) }
    : { kind: 'schedule', request: read(ScheduleBroadcast, fields) };
};

/** Campaigns (design 2.7); they move on by jobs and the outbox. */
export const broadcastEndpoints = (broadcasts: BroadcastService): Endpoint[] => [
  endpoint({
    ...route,
    post: '/v1/send_broadcast',
    summary: 'Sends a message to many customers, one after the other at a given pace',
    body: SendBroadcast,
    reply: BroadcastReply,
    examples: sendBroadcastExamples,
    refuses: [...making, refusals.tooBroad],
    handle: async ({ caller, body }) => ({
      message: 'success send broadcast',
      data: (await broadcasts.send(caller, body)) as BroadcastReply['data'],
    }),
  }),
  endpoint({
    ...route,
    post: '/v1/broadcast/scheduler',
    summary: 'Schedules a campaign; pauses, resumes or cancels one; an empty body starts those that are due',
    envelope: chatSchedulerEnvelope,
    body: new CustomBody(SchedulerRequest, schedulerCall),
    reply: SchedulerReply,
    examples: schedulerExamples,
    refuses: [...making, refusals.statusChanged],
    handle: async ({ caller, body }) => {
      if (body.kind === 'run')
        return { message: 'scheduler berjalan', data: { claimed: await broadcasts.runDue(caller) } };
      const isNew = body.kind === 'schedule';
      const data = await (isNew ? broadcasts.schedule(caller, body.request) : broadcasts.steer(caller, body.request));
      return { message: isNew ? 'broadcast dijadwalkan' : 'broadcast diubah', data: data as SchedulerReply['data'] };
    },
  }),
];
