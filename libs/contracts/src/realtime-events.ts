import type { CallbackPayload } from './callback-payload';
import type { DeliveryStatus } from './delivery-status';

/** Records of chat-backend that its events carry; the service narrows them to its own types. */
export interface ChatRecords {
  readonly inbox: object;
  readonly chatList: object;
  readonly notif: object;
  readonly device: object;
  readonly history: object;
}

/** What chat-backend tells its clients: chat-backend design 5.4. */
export interface ChatEvents<R extends ChatRecords = ChatRecords> {
  newMessage: { chatId: string; seq: number; inbox: R['inbox']; chat_list: R['chatList'] };
  statusMessage: {
    chatId: string;
    pesan_id: string;
    seq: number;
    status_ack: DeliveryStatus;
    timestamp: number | null;
  };
  /** A client drops an event whose version is not newer than what it shows. */
  updateChatlist: { op: 'upsert' | 'remove'; chat_list: R['chatList']; version: number };
  updateTeamchat: { team: string; unread_chat: number };
  notif: R['notif'];
  totalNotif: { total: number; unread: number };
  deviceStatus: R['device'];
  historyChat: { chatId: string; history: readonly R['history'][] };
}

/** Rooms of chat-backend. All carry the store, so that no event can cross tenants by a room's name. */
export const chatRooms = {
  store: (store: string) => `s:${store}`,
  team: (store: string, team: string) => `s:${store}:t:${team}`,
  chat: (store: string, chatId: string) => `s:${store}:c:${chatId}`,
  user: (store: string, user: string) => `s:${store}:u:${user}`,
} as const;

/** Neutral payloads of the gateway that no other service reads. They always name the device. */
export type DeviceEvent = { readonly instanceID: string } & Readonly<Record<string, unknown>>;

/** What wa-gateway tells its clients: wa-gateway design 2.5. */
export interface GatewayEvents {
  /** The three request fields of send-message [contract], and id and status when it was also sent to WhatsApp. */
  sendMessage: { pesan_id: string; role: string; data: Record<string, unknown>; id?: string; status?: DeliveryStatus };
  newMessage: CallbackPayload;
  messageStatus: {
    instanceID: string;
    number: string;
    id: string;
    pesan_id: string | null;
    status: DeliveryStatus;
    participant?: string;
  };
  messageFailed: {
    instanceID: string;
    number: string;
    id: string;
    pesan_id: string | null;
    code: string;
    retryable: boolean;
  };
  messageReaction: DeviceEvent;
  messageRevoked: DeviceEvent;
  pollVote: DeviceEvent;
  presence: DeviceEvent;
  call: DeviceEvent;
  groupUpdate: DeviceEvent;
  identityMapped: DeviceEvent;
  deviceStatus: { instanceID: string; status: string; cause?: string; restricted_until?: string };
  /** To the device's room only, whatever the scope: whoever scans it owns the account's messages. */
  qrcode: { instanceID: string; qr: string; qrcode: string; attempt: number; expired_at: string };
  broadcastProgress: Record<string, unknown>;
  pushNotif: Record<string, unknown>;
  updateChatlist: Record<string, unknown>;
  updateTeamchat: Record<string, unknown>;
  submitPixel: Record<string, unknown>;
}

export const gatewayRooms = {
  instance: (instance: string) => `instance:${instance}`,
  team: (team: string) => `team:${team}`,
} as const;
