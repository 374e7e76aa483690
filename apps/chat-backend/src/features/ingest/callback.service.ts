import {
  callbackRefusals,
  CALLBACK_STATUS_UPDATED,
  deliveryStatusCode,
  deliveryStatusOf,
  isCallbackStatus,
  parseCallbackNumber,
  type CallbackExtras,
  type CallbackPayload,
  type ChatAddress,
} from '@platform/contracts';
import { Rejected } from '@platform/errors';
import { systemClock, type Clock } from '@platform/runtime';
import type { MediaLinks } from '../media/media.links';
import type { ChatAnnouncer } from '../sockets/chat.announcer';
import type { DeviceDirectory, DeviceRoute } from '../tenancy/device.directory';
import { refusals } from '../tenancy/refusals';
import type { NotificationAnnouncer } from '../notifications/notification.announcer';
import type { AliasRepository } from './alias.repository';
import { inboundMessage, type InboundMessage, type StoredMedia } from './inbound-message';
import type { Ingested, IngestRepository } from './ingest.repository';
import { optOutWish } from './opt-out';
import type { StatusRepository } from './status.repository';

export interface CallbackDependencies {
  readonly devices: DeviceDirectory;
  readonly messages: IngestRepository;
  readonly statuses: StatusRepository;
  readonly announcer: ChatAnnouncer;
  readonly notifications: NotificationAnnouncer;
  readonly aliases: AliasRepository;
  /** A message that is one of these and nothing else opts its customer out. */
  readonly optOutWords: readonly string[];
  readonly media: MediaLinks;
  /** Whether a send of this chat is at the gateway at this moment. */
  readonly isSending: (instance: string, nohp: string) => Promise<boolean>;
  readonly clock?: Clock;
}

const extrasOf = (raw: string | undefined): CallbackExtras => {
  if (!raw) return {};
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' && value !== null ? (value as CallbackExtras) : {};
  } catch {
    return {};
  }
};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, 2_048) : null;

/** A file that did not come with the message (design section 1, row 12). */
const remoteFileOf = (
  { rawMessage }: CallbackPayload,
  media: StoredMedia | null,
): Pick<InboundMessage, 'file_url' | 'file_name'> => {
  const { fileUrl, fileName } = media ? {} : extrasOf(rawMessage);
  return {
    file_url: textOf(fileUrl)?.replaceAll('\0', '') ?? null,
    file_name: textOf(fileName)?.replaceAll('\0', '') ?? null,
  };
};

const addressOf = (number: string): ChatAddress => {
  const address = parseCallbackNumber(number);
  if (!address) throw new Rejected(callbackRefusals.invalidNumber);
  return address;
};

/** What the gateway reports: new messages and delivery statuses (contract, `POST /v1/callback_message`). */
export class CallbackService {
  constructor(private readonly needs: CallbackDependencies) {}

  /** Stores a message once and tells the agents after the commit; a redelivery answers the same and changes nothing. */
  async receive(payload: CallbackPayload, media: StoredMedia | null): Promise<string> {
    const address = addressOf(payload.number);
    const route = await this.route(payload.instanceID);
    if (route.teamId === null) throw refusals.teamNotFound();
    const { clock = systemClock, messages, optOutWords } = this.needs;
    const row = inboundMessage(payload, address, { ...route, teamId: route.teamId }, media, clock.now());
    const personal = !row.from_me && !row.is_group;
    const wish = personal ? optOutWish(payload.text, optOutWords) : null;
    const message: InboundMessage = { ...row, opt_out: wish, ...remoteFileOf(payload, media) };
    if (message.from_me) {
      const own = await messages.stored(route.storeId, route.instance, message.pesan_id);
      if (own) return this.needs.media.sign(own);
      // The answer of our own send may not be stored yet; stored twice it would show twice (design 3.2)
      if (await this.needs.isSending(route.instance, message.number)) throw refusals.chatBusy();
    }
    const ingested = await messages.store(message);
    if (!ingested.fresh) return this.again(message, ingested.body);
    const body = this.needs.media.sign(ingested.body);
    this.announce(body, ingested);
    return body;
  }

  /** A redelivery: the stored answer. The same message under another name of the customer tells that the two are one. */
  private async again(message: InboundMessage, body: string): Promise<string> {
    const { store_id: store, instance, number, pesan_id: id } = message;
    const { nohp } = (JSON.parse(body) as { chat_list: { nohp: string } }).chat_list;
    const learned = nohp !== number && (await this.needs.aliases.learn(store, number, nohp));
    const current = learned ? await this.needs.messages.stored(store, instance, id) : body;
    return this.needs.media.sign(current ?? body);
  }

  /** Checks in the order of design 2.2, each with the answer the contract documents. */
  async updateStatus(payload: Partial<CallbackPayload>): Promise<string> {
    const { number, instanceID, id, status } = payload;
    if (!number || !instanceID || !id || !status) throw new Rejected(callbackRefusals.missingFields);
    addressOf(number);
    const extras = extrasOf(payload.rawMessage);
    if (!isCallbackStatus(status)) {
      if (status === 'pending' && extras.failed) await this.fail(instanceID, extras.pesan_id ?? id, extras.failed.code);
      throw new Rejected(callbackRefusals.statusNotValid);
    }
    const route = await this.route(instanceID);
    const code = deliveryStatusCode(status);
    const at = payload.timestamp ?? null;
    const applied = await this.needs.statuses.apply({
      storeId: route.storeId,
      instance: instanceID,
      messageId: extras.pesan_id ?? id,
      waId: id,
      status: code,
      at,
    });
    if (!applied) throw refusals.messageNotFound();
    if (applied.changed)
      this.needs.announcer.status({
        chatId: applied.chatId,
        pesan_id: applied.pesanId,
        seq: applied.seq,
        status_ack: deliveryStatusOf(code),
        timestamp: at,
      });
    return CALLBACK_STATUS_UPDATED;
  }

  private async fail(instance: string, messageId: string, reason: string): Promise<void> {
    const route = await this.needs.devices.find(instance);
    if (!route) return;
    this.needs.notifications.notified(await this.needs.statuses.markFailed(route.storeId, instance, messageId, reason));
  }

  private async route(instance: string): Promise<DeviceRoute> {
    const route = await this.needs.devices.find(instance);
    if (!route) throw refusals.deviceNotFound();
    return route;
  }

  private announce(body: string, { turned, notified }: Ingested): void {
    const {
      newChatInbox,
      chat_list: list,
      history,
    } = JSON.parse(body) as { newChatInbox: object; chat_list: { chatId: string }; history: object[] };
    this.needs.announcer.newMessage(newChatInbox, list);
    if (turned) this.needs.announcer.history(list.chatId, history.slice(-1));
    this.needs.notifications.notified(notified);
  }
}
