import type { Sql } from '@platform/data';
import { area, cursorPage, dataOf, done, type Endpoint } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { byOf } from '../../by';
import { OWNER_AWAY } from '../../clients/face';
import { rowEndpoint as endpoint } from '../../endpoint';
import { OwnersKey, ownersId } from '../../owners-id';
import { refusals } from '../../refusals';
import { ofAllChats } from '../contacts/people/public';
import { AudienceAsked, AudiencePreview } from './audience.dto';
import { preview } from './audience.sql';
import {
  Broadcast,
  BroadcastChange,
  BroadcastRecipient,
  BroadcastSend,
  BroadcastsQuery,
  NewBroadcast,
  RecipientsQuery,
} from './broadcasts.dto';
import { broadcastRefusals, type BroadcastsService } from './broadcasts.service';

export interface BroadcastRoutes {
  readonly sql: Sql;
  readonly broadcasts: BroadcastsService;
  readonly by: ReturnType<typeof byOf>;
  readonly clock: Clock;
}

const { invalidTransition } = broadcastRefusals;
const AWAY = ['notFound', ...OWNER_AWAY] as const;

const reads = ({ sql, broadcasts, clock }: BroadcastRoutes): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'List broadcasts',
    guard: 'member',
    query: BroadcastsQuery,
    reply: cursorPage(Broadcast),
    refuses: ['invalid', ...OWNER_AWAY],
    handle: ({ caller, query }) => broadcasts.list(caller, query),
  }),
  endpoint({
    get: '/{id}',
    summary: 'Broadcast with delivery counts',
    guard: 'member',
    reply: dataOf(Broadcast),
    refuses: AWAY,
    handle: ({ caller, params }) => broadcasts.get(caller, params.id),
  }),
  endpoint({
    get: '/{id}/recipients',
    summary: 'Delivery state per recipient',
    guard: 'broadcast.send',
    query: RecipientsQuery,
    reply: cursorPage(BroadcastRecipient),
    refuses: ['invalid', refusals.abilityMissing, ...AWAY],
    handle: (input) => broadcasts.recipients(ofAllChats(input).caller, input.params.id, input.query),
  }),
  endpoint({
    post: '/preview-audience',
    summary: 'Count and sample the audience',
    guard: 'broadcast.send',
    body: AudienceAsked,
    reply: dataOf(AudiencePreview),
    refuses: ['notFound', refusals.abilityMissing],
    handle: (input) => preview(sql, ofAllChats(input).caller.storeId, clock.now(), input.body.audience),
  }),
];

const writes = ({ broadcasts, by }: BroadcastRoutes): Endpoint[] => [
  endpoint({
    post: '',
    summary: 'Draft broadcast',
    guard: 'broadcast.send',
    status: 201,
    headers: OwnersKey,
    body: NewBroadcast,
    reply: dataOf(Broadcast, 'Broadcast created'),
    refuses: [broadcastRefusals.keyUsed, refusals.abilityMissing, invalidTransition, ...AWAY],
    handle: (input) => {
      const writer = by(ofAllChats(input));
      const repeats = input.headers['idempotency-key'] !== undefined;
      return broadcasts.create(writer, ownersId(writer, 'broadcast', input.headers), input.body, repeats);
    },
  }),
  endpoint({
    put: '/{id}',
    summary: 'Edit draft or scheduled broadcast',
    guard: 'broadcast.send',
    body: BroadcastChange,
    reply: dataOf(Broadcast, 'Broadcast updated'),
    refuses: [invalidTransition, refusals.abilityMissing, ...AWAY],
    handle: (input) => broadcasts.change(by(ofAllChats(input)), input.params.id, input.body),
  }),
  endpoint({
    delete: '/{id}',
    summary: 'Delete draft',
    guard: 'broadcast.send',
    reply: done('Broadcast deleted'),
    refuses: [invalidTransition, ...AWAY],
    handle: (input) => broadcasts.remove(by(input), input.params.id),
  }),
  endpoint({
    post: '/{id}/send',
    summary: 'Send now or at a time',
    description: 'Who gets it is settled now; a job puts them in and starts it, or has it started at its time.',
    guard: 'broadcast.send',
    body: BroadcastSend,
    reply: dataOf(Broadcast, 'Broadcast on its way'),
    refuses: [invalidTransition, refusals.planLimit, refusals.planEnded, refusals.abilityMissing, ...AWAY],
    handle: (input) => broadcasts.send(by(ofAllChats(input)), input.params.id, input.body.at),
  }),
];

const steps = ({ broadcasts, by }: BroadcastRoutes): Endpoint[] =>
  (['pause', 'resume', 'cancel'] as const).map((step) =>
    endpoint({
      post: `/{id}/${step}`,
      summary: { pause: 'Pause sending', resume: 'Resume sending', cancel: 'Cancel what is left' }[step],
      guard: 'broadcast.send',
      reply: dataOf(Broadcast, 'Broadcast updated'),
      refuses: [invalidTransition, ...AWAY],
      handle: (input) => broadcasts.act(by(input), input.params.id, step),
    }),
  );

export const broadcastsEndpoints = (routes: BroadcastRoutes): Endpoint[] =>
  area({ prefix: '/api/broadcast', tag: 'Chat' }, [...reads(routes), ...writes(routes), ...steps(routes)]);
