import { WhatsAppError } from './whatsapp.error';
import { inboundValue, type Inbound } from './inbound.message';
import { hidesNumber } from './outgoing.message';
import { WebhookSender, type WebhookSubscription } from './webhook.sender';
import { FaultSwitch, type WaFault } from './whatsapp.faults';
import {
  defaultNumber,
  newWamid,
  WhatsAppStore,
  type BusinessNumber,
  type Level,
  type SentMessage,
} from './whatsapp.store';

export interface WhatsAppOptions {
  /** `defaultNumber` only by default. */
  readonly numbers?: readonly BusinessNumber[];
  /** Pause before the first retry of a webhook, 1 s by default; it doubles with each retry. */
  readonly webhookRetryMs?: number;
}

/** The phones behind the Cloud API and what people do on them, of which webhooks tell the business. */
export class WhatsAppNetwork {
  readonly faults = new FaultSwitch();
  readonly store: WhatsAppStore;
  readonly webhooks: WebhookSender;

  constructor({ numbers = [defaultNumber], webhookRetryMs = 1_000 }: WhatsAppOptions = {}) {
    this.store = new WhatsAppStore(numbers);
    this.webhooks = new WebhookSender(this.faults, webhookRetryMs);
  }

  subscribe(subscription: WebhookSubscription): Promise<boolean> {
    return this.webhooks.subscribe(subscription);
  }

  /** A customer writes. Returns the wamid; the webhook follows by itself. */
  customerSends(inbound: Inbound): string {
    const { id, value } = inboundValue(inbound, this.store, new Date());
    this.webhooks.send(value);
    return id;
  }

  /** The person reads everything or one message; one that was not delivered yet gets only the status `read`. */
  personReads(to: string, id?: string): number {
    return this.raise(to, id, 'read', ['sent', 'delivered']);
  }

  /** The person listens to a voice message. */
  personPlays(to: string, id?: string): number {
    return this.raise(to, id, 'played', ['sent', 'delivered', 'read']);
  }

  /** Messages to an offline phone stay on one tick, and are delivered when it is back. */
  setOffline(person: string, offline: boolean): void {
    if (offline) return void this.store.offline.add(person);
    this.store.offline.delete(person);
    this.raise(person, undefined, 'delivered', ['sent']);
  }

  /** Sends a status regardless of earlier ones, even for a message that was not accepted yet. */
  receipt(to: string, opaque: string, level: Level): void {
    const known = this.store.sent.find((message) => message.opaque === opaque);
    const [numberId = ''] = this.store.numbers.keys();
    this.tell(known ?? { id: newWamid(), numberId, to, type: 'text', content: {}, opaque, level }, level);
  }

  addFault(fault: WaFault): void {
    this.faults.add(fault);
  }

  /** Sends the statuses of an accepted message. Meta reports some refusals only here. */
  travel(sent: SentMessage): void {
    const failure = this.faults.take('failed_status', 'messages', sent.to);
    if (failure) return this.tell(sent, 'failed', failure.code);
    this.tell(sent, 'sent');
    if (!this.store.offline.has(sent.to)) this.tell(sent, 'delivered');
  }

  private tell(sent: SentMessage, level: Level, code?: number): void {
    sent.level = level;
    const number = this.store.numbers.get(sent.numberId);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const opaque = sent.opaque === undefined ? {} : { biz_opaque_callback_data: sent.opaque };
    const errors = code === undefined ? {} : { errors: [new WhatsAppError(code).inStatus()] };
    const display_phone_number = number?.displayPhoneNumber.replace(/\D/g, '');
    this.webhooks.send({
      messaging_product: 'whatsapp',
      metadata: { display_phone_number, phone_number_id: sent.numberId },
      statuses: [
        {
          id: sent.id,
          status: level,
          timestamp,
          ...(hidesNumber(sent.to) ? { recipient_user_id: sent.to } : { recipient_id: sent.to }),
          ...opaque,
          ...errors,
        },
      ],
    });
  }

  private raise(to: string, id: string | undefined, level: Level, from: readonly Level[]): number {
    const concerned = this.store.sent.filter(
      (message) => message.to === to && (id === undefined || message.id === id) && from.includes(message.level),
    );
    for (const message of concerned) this.tell(message, level);
    return concerned.length;
  }
}
