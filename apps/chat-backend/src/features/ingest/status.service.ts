import {
  CALLBACK_STATUS_UPDATED,
  callbackTime,
  deliveryStatusCode,
  deliveryStatusOf,
  isCallbackStatus,
  nohpOf,
  type CallbackPayload,
} from '@platform/contracts';
import { systemClock } from '@platform/runtime';
import type { NotificationAnnouncer } from '../notifications/public';
import type { ChatAnnouncer } from '../sockets/public';
import { refusals, type DeviceDirectory } from '../tenancy/public';
import { addressOf, extrasOf } from './callback.extras';
import { callbackFailures } from './callback.refusals';
import type { StatusChange, StatusRepository } from './status.repository';

export interface StatusDependencies {
  readonly devices: DeviceDirectory;
  readonly statuses: StatusRepository;
  readonly announcer: Pick<ChatAnnouncer, 'status'>;
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
}

/** Seconds, whichever unit it came in; what claims to come from the future would outlast all that really follows. */
const secondOf = (timestamp: number): number =>
  Math.floor(Math.min(callbackTime(timestamp).getTime(), systemClock.now().getTime()) / 1000);

/** Delivery statuses of messages that left (contract, `POST /v1/callback_message` with `report`). */
export class StatusService {
  constructor(private readonly needs: StatusDependencies) {}

  /** Checks in the order of design 2.2, each with the answer the contract documents. */
  async update(payload: Partial<CallbackPayload>): Promise<string> {
    const { number, instanceID, id, status } = payload;
    if (!number || !instanceID || !id || !status) throw callbackFailures.missingFields();
    const nohp = nohpOf(addressOf(number));
    const extras = extrasOf(payload.rawMessage);
    const of = { instance: instanceID, nohp, messageId: extras.pesan_id ?? id };
    if (!isCallbackStatus(status)) {
      if (status === 'pending' && extras.failed) await this.fail(of, extras.failed.code);
      throw callbackFailures.statusNotValid();
    }
    const route = await this.needs.devices.demand(instanceID);
    const code = deliveryStatusCode(status);
    const at = payload.timestamp === undefined ? null : secondOf(payload.timestamp);
    const applied = await this.needs.statuses.apply({ ...of, storeId: route.storeId, waId: id, status: code, at });
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

  private async fail(of: Pick<StatusChange, 'instance' | 'nohp' | 'messageId'>, reason: string): Promise<void> {
    const route = await this.needs.devices.find(of.instance);
    if (!route) return;
    const told = await this.needs.statuses.markFailed({ ...of, storeId: route.storeId }, reason);
    this.needs.notifications.notified(told);
  }
}
