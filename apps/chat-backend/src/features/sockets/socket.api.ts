import type { EventsOf, RequestsOf, SocketApi } from '@platform/realtime';
import { notificationEvents } from '../notifications/public';
import { DeviceStruct } from '../records/public';
import type { Scope } from '../tenancy/public';
import {
  ChatListed,
  ChatNamed,
  ChatUnlisted,
  Done,
  HistoryAdded,
  Missed,
  NewMessage,
  NoSuchChat,
  RequestFailed,
  StatusMessage,
  SyncRequest,
  TeamUnread,
} from './socket.dto';

const IN_CHAT = 'who joined the chat by chatJoin';

/** All that goes over the sockets of chat-backend (design 5.4). */
export const chatSocketApi = {
  name: 'chat-backend',
  description:
    'Tells agents what was committed. A socket enters the rooms of its store, its user and its teams at the handshake; supervisors hear every team. Delivery is at most once: losses of up to 2 minutes are made up for, after a longer one ask sync. Clients publish nothing: they send messages over HTTP. A refused handshake is a connect_error, Unauthenticated or Unavailable, whose data names the kind and, where known, the reason. A request whose handler failed is acknowledged with { error }.',
  token: {
    kind: 'jwt',
    description:
      'An access token of store-auth for the audience chat-backend, always, also for addresses that HTTP lets in without one. When it ends the socket hears authExpired and is closed, unless authRefresh came before.',
  },
  events: {
    ...notificationEvents,
    newMessage: { summary: 'A message was stored, from either side', to: IN_CHAT, payload: NewMessage },
    statusMessage: { summary: 'A message was sent, delivered, viewed or played', to: IN_CHAT, payload: StatusMessage },
    updateChatlist: {
      summary: 'The list row of a chat has changed, or is not theirs any more',
      description: 'At most every 250 ms a chat; drop an event whose version is not newer than what is shown.',
      to: "the chat's team, and who was asked for help with it",
      payload: [ChatListed, ChatUnlisted],
    },
    updateTeamchat: {
      summary: 'How many chats of a team are unread',
      description: 'At most once a second.',
      to: 'the team',
      payload: TeamUnread,
    },
    deviceStatus: { summary: 'A device went on or off line', to: 'the store', payload: DeviceStruct },
    historyChat: { summary: "Entries of a chat's history were written", to: IN_CHAT, payload: HistoryAdded },
  },
  requests: {
    chatJoin: {
      summary: 'Hears a chat from now on, after the check that reading it over HTTP makes',
      payload: ChatNamed,
      answer: [Done, NoSuchChat, RequestFailed],
    },
    chatLeave: { summary: 'Hears a chat no more', payload: ChatNamed, answer: Done },
    sync: {
      summary: 'What was missed, whatever the reason',
      description:
        'Ask after a reconnect that was not recovered and when the seq of a chat skips a number: an event is also lost when its process ends between the commit and the telling. Messages come by their seq, list rows by their version; history and the statuses of older messages come with chat_inbox. Chats of other stores in the payload are passed over.',
      payload: SyncRequest,
      answer: [Missed, RequestFailed],
    },
  },
} as const satisfies SocketApi;

export type ChatEvents = EventsOf<typeof chatSocketApi.events>;

export type ChatRequests = RequestsOf<typeof chatSocketApi.requests, Scope>;
