import type { Principal } from '@platform/auth';
import type { Database, Transaction } from '@platform/data';
import type { Emitter } from '@platform/realtime';
import type { Clock } from '@platform/runtime';
import type { OrderStatus } from '../../clients/commerce.client';
import { isUser, refuseForeignStore } from '../../own-store';
import { money, type CustomerNotice, type WriteNotice } from '../checkout/public';
import type { BotEvents } from '../notice/public';
import type { StoreDirectory } from '../stores/public';
import { paymentRefusals } from './payment.refusals';
import type { PaymentNotification, PaymentOutcome } from './payment.dto';
import { isOrderedHere, paymentRows, type OrderedHere } from './payment.repository';

export interface PaymentParts {
  readonly database: Database;
  readonly stores: StoreDirectory;
  readonly readOrder: (storeId: string, orderNumber: string) => Promise<OrderStatus>;
  readonly notices: WriteNotice;
  readonly realtime: Emitter<BotEvents>;
  readonly clock: Clock;
}

/** A template, never the words of a model. */
const textOf = ({ orderNumber, status, total, currency }: OrderStatus): string => {
  if (status === 'paid') return `Pembayaran ${orderNumber} sebesar ${money(total, currency)} sudah kami terima`;
  if (status === 'expired')
    return `Batas waktu pembayaran ${orderNumber} sudah lewat. Kabari kami kalau masih mau pesan ya kak.`;
  return `Pesanan ${orderNumber} dibatalkan.`;
};

const keyOf = ({ orderNumber, status }: OrderStatus): string => `pay:${orderNumber}:${status}`;

/** A buyer hears of money that came at any time; of an order that has ended only while the bot talks. */
const isTold = ({ status }: OrderStatus, here: OrderedHere | undefined): here is OrderedHere =>
  here !== undefined && (status === 'paid' || !here.isSilent);

/** What a payment notification sets off (design 3.8). It is a hint: only what commerce-api says of the order counts. */
export class PaymentService {
  constructor(private readonly parts: PaymentParts) {}

  /**
   * Throws `NotFound` for an unknown store or order, `Unavailable`, with nothing recorded, when the order cannot be read. Commerce
   * answers for the orders of any store: a user learns of none but those that the bot of their own store has taken.
   */
  async notify(notification: PaymentNotification, caller: Principal): Promise<PaymentOutcome> {
    const { database, stores, readOrder } = this.parts;
    const { idStore, orderNumber } = notification;
    refuseForeignStore(caller, idStore);
    await stores.get(idStore);
    if (isUser(caller) && !(await isOrderedHere(database, idStore, orderNumber))) throw paymentRefusals.orderNotFound();
    const order = await readOrder(idStore, orderNumber);
    return database.tx((tx) => this.apply(tx, notification, order));
  }

  private async apply(tx: Transaction, notification: PaymentNotification, order: OrderStatus): Promise<PaymentOutcome> {
    const at = this.parts.clock.now();
    const rows = paymentRows(tx, notification);
    const outcome = { orderNumber: order.orderNumber, orderStatus: order.status };
    if (order.status === 'pending') {
      if (!(await rows.isDoubted())) await rows.record(order, { outcome: 'unconfirmed', notified: false, at });
      return { ...outcome, notified: false, duplicate: false };
    }
    const here = await rows.orderedHere(at);
    const told = isTold(order, here);
    const isFirst = await rows.record(order, { outcome: 'applied', notified: told, at });
    if (!isFirst) return { ...outcome, notified: await rows.wasNotified(order), duplicate: true };
    if (here) await rows.mark(here, order, at);
    if (told) await this.tell(tx, notification, order, here);
    return { ...outcome, notified: told, duplicate: false };
  }

  private async tell(
    tx: Transaction,
    { idStore: storeId }: PaymentNotification,
    order: OrderStatus,
    { conversationId, chatId }: OrderedHere,
  ): Promise<void> {
    const { notices, realtime, clock } = this.parts;
    const key = keyOf(order);
    const onlyIfOpen = order.status !== 'paid';
    const notice: CustomerNotice = { storeId, conversationId, key, text: textOf(order), onlyIfOpen };
    await notices(tx, notice);
    const event = { idStore: storeId, idMessage: `bot-${key.replaceAll(':', '-')}`, type: 'chat' };
    const timestamp = clock.now().getTime();
    tx.afterCommit(() =>
      realtime.emit('everyone', 'newMessage', { ...event, chatId: chatId ?? conversationId, timestamp }),
    );
  }
}
