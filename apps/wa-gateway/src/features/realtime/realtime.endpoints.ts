import type { Endpoint } from '@platform/http';
import type { DtoClass } from '@platform/validation';
import { endpoint } from '../../endpoint';
import type { Announcer, Audience } from './announcer';
import {
  PublishedReply,
  PushNotif,
  SubmitPixel,
  UpdateChatlist,
  UpdateTeamchat,
  type RealtimeOnly,
} from './realtime.dto';
import { nothingExamples } from './realtime.examples';
import type { GatewayEvents } from './socket.api';

interface Route<B extends object> {
  readonly path: string;
  readonly event: RealtimeOnly;
  readonly summary: string;
  /** What the answer says after `success`. */
  readonly thing: string;
  readonly body: DtoClass<B>;
  /** The fields that the documented refusal misses. */
  readonly required: readonly (keyof B & string)[];
}

/** One event that sockets alone hear of: its payload are the request's fields (design 2.5). */
const publishes = <B extends object & Audience>(
  announcer: Announcer,
  { path, event, summary, thing, body: dto, required }: Route<B>,
): Endpoint =>
  endpoint({
    post: path,
    summary,
    description: 'Nothing is stored and nothing is sent to WhatsApp.',
    tag: 'notification',
    guard: 'perimeter',
    body: dto,
    reply: PublishedReply,
    refuses: [],
    examples: nothingExamples(required),
    handle: async ({ body }) => ({
      message: `success ${thing}`,
      data: {
        event,
        clients: await announcer.broadcast(body, event, { ...(body as object) } as GatewayEvents[RealtimeOnly]),
      },
    }),
  });

export const realtimeEndpoints = (announcer: Announcer): Endpoint[] => [
  publishes(announcer, {
    path: '/api/push-notif',
    event: 'pushNotif',
    summary: 'Shows a notification on connected clients',
    thing: 'push notif',
    body: PushNotif,
    required: ['title', 'message'],
  }),
  publishes(announcer, {
    path: '/api/update-chatlist',
    event: 'updateChatlist',
    summary: 'Tells clients that an entry of the list of conversations has changed',
    thing: 'update chatlist',
    body: UpdateChatlist,
    required: ['instance', 'nohp'],
  }),
  publishes(announcer, {
    path: '/api/update-teamchat',
    event: 'updateTeamchat',
    summary: 'Tells the clients of a team how much is unread',
    thing: 'update teamchat',
    body: UpdateTeamchat,
    required: ['team', 'data'],
  }),
  publishes(announcer, {
    path: '/api/submit-pixel',
    event: 'submitPixel',
    summary: 'Hands a conversion to clients, whose page reports it',
    thing: 'submit pixel',
    body: SubmitPixel as DtoClass<SubmitPixel & Audience>,
    required: ['pixel_id', 'event_name'],
  }),
];
