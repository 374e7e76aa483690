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
import { inboundMessage, type StoredMedia } from './inbound-message';
import type { Ingested, IngestRepository } from './ingest.repository';
import type { StatusRepository } from './status.repository';

export interface CallbackDependencies {
  readonly devices: DeviceDirectory;
  readonly messages: IngestRepository;
  readonly statuses: StatusRepository;
  readonly announcer: ChatAnnouncer;
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
    const { clock = systemClock, messages } = this.needs;
    const message = inboundMessage(payload, address, { ...route, teamId: route.teamId }, media, clock.now());
    if (message.from_me) {
      const own = await messages.stored(route.storeId, route.instance, message.pesan_id);
      if (own) return this.needs.media.sign(own);
      // The answer of our own send may not be stored yet; stored twice it would show twice (design 3.2)
      if (await this.needs.isSending(route.instance, message.nohp)) throw refusals.chatBusy();
    }
    const ingested = await messages.store(message);
    const body = this.needs.media.sign(ingested.body);
    if (ingested.fresh) this.announce(body, ingested);
    return body;
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
    if (route) await this.needs.statuses.markFailed(route.storeId, instance, messageId, reason);
  }

  private async route(instance: string): Promise<DeviceRoute> {
    const route = await this.needs.devices.find(instance);
    if (!route) throw refusals.deviceNotFound();
    return route;
  }

  private announce(body: string, { turned }: Ingested): void {
    const {
      newChatInbox,
      chat_list: list,
      history,
    } = JSON.parse(body) as { newChatInbox: object; chat_list: { chatId: string }; history: object[] };
    this.needs.announcer.newMessage(newChatInbox, list);
    if (turned) this.needs.announcer.history(list.chatId, history.slice(-1));
  }
}
