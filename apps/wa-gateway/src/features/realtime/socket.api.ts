import { CallbackPayloadDto } from '@platform/contracts';
import type { EventsOf, RequestsOf, SocketApi } from '@platform/realtime';
import {
  BroadcastProgressed,
  DeviceStatusChanged,
  GroupUpdate,
  IdentityMapped,
  IncomingCall,
  Joined,
  JoinRequest,
  MessageFailed,
  MessageReaction,
  MessageRevoked,
  MessageSent,
  MessageStatus,
  PollVote,
  Presence,
  QrCode,
} from './event.dto';
import { PushNotif, SubmitPixel, UpdateChatlist, UpdateTeamchat } from './realtime.dto';

const DEVICE = "everybody, or with REALTIME_SCOPE=room the device's room";
const NAMED = 'everybody, or with REALTIME_SCOPE=room the rooms of the device and the team that the request names';

/** All that goes over the sockets of the gateway (design 2.5). */
export const gatewaySocketApi = {
  name: 'wa-gateway',
  description:
    'Tells clients what happens on WhatsApp devices. Open to every origin. Delivery is at most once: losses of up to 2 minutes are made up for, nothing else is kept. Clients publish nothing. A refused handshake is a connect_error called Unauthenticated.',
  token: {
    kind: 'secret',
    description: 'The value of REALTIME_TOKEN, when the service has one; without that setting everybody is let in.',
  },
  events: {
    sendMessage: { summary: 'A message is being sent', to: DEVICE, payload: MessageSent },
    newMessage: { summary: 'A message has arrived', to: DEVICE, payload: CallbackPayloadDto },
    messageStatus: { summary: 'A message was sent, delivered, viewed or played', to: DEVICE, payload: MessageStatus },
    messageFailed: { summary: 'A message that was accepted will not arrive', to: DEVICE, payload: MessageFailed },
    messageReaction: {
      summary: 'Somebody reacted to a message, or took it back',
      to: DEVICE,
      payload: MessageReaction,
    },
    messageRevoked: { summary: 'A message was deleted for everyone', to: DEVICE, payload: MessageRevoked },
    pollVote: { summary: 'Somebody voted in a poll', to: DEVICE, payload: PollVote },
    presence: { summary: 'Somebody types, or came or went', to: DEVICE, payload: Presence },
    call: { summary: 'Somebody calls', to: DEVICE, payload: IncomingCall },
    groupUpdate: { summary: 'A group or its members have changed', to: DEVICE, payload: GroupUpdate },
    identityMapped: { summary: 'It is known whose an anonymous identity is', to: DEVICE, payload: IdentityMapped },
    deviceStatus: { summary: 'A device has changed its state', to: DEVICE, payload: DeviceStatusChanged },
    qrcode: {
      summary: 'A code to scan',
      description: "Whoever scans it owns the account's messages.",
      to: "the device's room only, whatever REALTIME_SCOPE says",
      payload: QrCode,
    },
    broadcastProgress: { summary: 'How far a broadcast is', to: DEVICE, payload: BroadcastProgressed },
    pushNotif: { summary: 'A notification to show', to: NAMED, payload: PushNotif },
    updateChatlist: {
      summary: 'An entry of the list of conversations has changed',
      to: NAMED,
      payload: UpdateChatlist,
    },
    updateTeamchat: { summary: 'How much of a team is unread', to: NAMED, payload: UpdateTeamchat },
    submitPixel: { summary: 'A conversion to report', to: NAMED, payload: SubmitPixel },
  },
  requests: {
    join: { summary: 'Enters the rooms of a device and of a team', payload: JoinRequest, answer: Joined },
  },
} as const satisfies SocketApi;

/** What the gateway tells its clients. */
export type GatewayEvents = EventsOf<typeof gatewaySocketApi.events>;

export type GatewayRequests = RequestsOf<typeof gatewaySocketApi.requests, undefined>;
