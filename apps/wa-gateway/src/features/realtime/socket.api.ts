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

const toDevice = <Payload>(summary: string, payload: Payload) => ({ summary, to: DEVICE, payload });
const toNamed = <Payload>(summary: string, payload: Payload) => ({ summary, to: NAMED, payload });

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
    sendMessage: toDevice('A message is being sent', MessageSent),
    newMessage: toDevice('A message has arrived', CallbackPayloadDto),
    messageStatus: toDevice('A message was sent, delivered, viewed or played', MessageStatus),
    messageFailed: toDevice('A message that was accepted will not arrive', MessageFailed),
    messageReaction: toDevice('Somebody reacted to a message, or took it back', MessageReaction),
    messageRevoked: toDevice('A message was deleted for everyone', MessageRevoked),
    pollVote: toDevice('Somebody voted in a poll', PollVote),
    presence: toDevice('Somebody types, or came or went', Presence),
    call: toDevice('Somebody calls', IncomingCall),
    groupUpdate: toDevice('A group or its members have changed', GroupUpdate),
    identityMapped: toDevice('It is known whose an anonymous identity is', IdentityMapped),
    deviceStatus: toDevice('A device has changed its state', DeviceStatusChanged),
    qrcode: {
      summary: 'A code to scan',
      description: "Whoever scans it owns the account's messages.",
      to: "the device's room only, whatever REALTIME_SCOPE says",
      payload: QrCode,
    },
    broadcastProgress: toDevice('How far a broadcast is', BroadcastProgressed),
    pushNotif: toNamed('A notification to show', PushNotif),
    updateChatlist: toNamed('An entry of the list of conversations has changed', UpdateChatlist),
    updateTeamchat: toNamed('How much of a team is unread', UpdateTeamchat),
    submitPixel: toNamed('A conversion to report', SubmitPixel),
  },
  requests: {
    join: { summary: 'Enters the rooms of a device and of a team', payload: JoinRequest, answer: Joined },
  },
} as const satisfies SocketApi;

/** What the gateway tells its clients. */
export type GatewayEvents = EventsOf<typeof gatewaySocketApi.events>;

export type GatewayRequests = RequestsOf<typeof gatewaySocketApi.requests, undefined>;
