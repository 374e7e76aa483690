import { area, cursorPage, dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { OWNER_AWAY, ownersConflict } from '../../../clients/face';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { OwnersKey, ownersId } from '../../../owners-id';
import { refusals } from '../../../refusals';
import {
  CheckedNumber,
  ClickToChat,
  FileToSend,
  GroupsQuery,
  LinkWish,
  MessageTaken,
  NumberToCheck,
  PlaceToSend,
  TextToSend,
  WaGroup,
} from './wa.dto';
import type { WaGroups } from './wa.groups';
import type { WaService } from './wa.service';

interface WaRoutes {
  readonly wa: WaService;
  readonly groups: WaGroups;
  readonly by: ReturnType<typeof byOf>;
}

/** Of an API token whose maker does not see all chats. */
const allChats = () => refusals.abilityMissing('chat.all');

const SENDING = {
  guard: 'wa.send',
  status: 202,
  headers: OwnersKey,
  reply: dataOf(MessageTaken),
  refuses: [ownersConflict('duplicate'), ownersConflict('device_offline'), 'notFound', allChats, ...OWNER_AWAY],
} as const;

const sends = ({ wa, by }: WaRoutes): Endpoint[] => [
  endpoint({
    ...SENDING,
    post: '/send-message',
    summary: 'Send text from a device',
    body: TextToSend,
    handle: (input) => wa.send(input.caller, ownersId(by(input), 'message', input.headers), 'text', input.body),
  }),
  endpoint({
    ...SENDING,
    post: '/send-media',
    summary: 'Send picture, file, audio or video',
    body: FileToSend,
    handle: (input) => {
      const { type, ...message } = input.body;
      return wa.send(input.caller, ownersId(by(input), 'message', input.headers), type, message);
    },
  }),
  endpoint({
    ...SENDING,
    post: '/send-location',
    summary: 'Send location',
    body: PlaceToSend,
    handle: (input) => wa.send(input.caller, ownersId(by(input), 'message', input.headers), 'location', input.body),
  }),
];

/** Single messages over WhatsApp, and what is known of its numbers, links and groups. */
export const waEndpoints = (routes: WaRoutes): Endpoint[] =>
  area({ prefix: '/api/wa', tag: 'Chat' }, [
    ...sends(routes),
    endpoint({
      post: '/check-number',
      summary: 'Is the number on WhatsApp',
      description: 'By the messages so far in chats that you may see: nobody asks WhatsApp.',
      guard: 'wa.send',
      body: NumberToCheck,
      reply: dataOf(CheckedNumber),
      refuses: [allChats, ...OWNER_AWAY],
      handle: ({ caller, body }) => routes.wa.check(caller, body.phone),
    }),
    endpoint({
      post: '/link',
      summary: 'Make click-to-chat link and QR',
      guard: 'wa.send',
      body: LinkWish,
      reply: dataOf(ClickToChat),
      refuses: ['notFound'],
      handle: ({ caller, body }) => routes.wa.link(caller.storeId, body),
    }),
    endpoint({
      get: '/groups',
      summary: 'Groups of a device',
      description: 'That have written; what the gateway tells of them may be ten minutes old.',
      guard: 'member',
      query: GroupsQuery,
      reply: cursorPage(WaGroup),
      refuses: ['notFound', allChats, ...OWNER_AWAY],
      handle: ({ caller, query }) => routes.groups.list(caller, query),
    }),
  ]);
