import type { Database, Sql } from '@platform/data';
import { Rejected } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { ChatMessage, ChatMessages } from '../../../clients/chat.messages';
import type { CommerceJobs, Queue } from '../../../jobs';
import type { ShopEvent, ShopEventKind } from '../../../shop-event.types';
import { isUnwanted } from '../../contacts/people/public';
import type { PayPages } from '../../sales/payments/public';
import { newsText, toldOrder, type ToldOrder } from '../templates/public';

/** What buyers are told of, and until when it is true. Of a payment they are told by `order.paid.message`, which knows whether the bot did. */
const NEWS = {
  // Who has paid at once is told of that alone, and whom the bot sells to hears it from the bot
  'order.created': {
    event: 'order_created',
    holds: ({ status, isPaid, channel }: ToldOrder) => status === 'open' && !isPaid && channel !== 'bot',
  },
  'order.shipped': { event: 'order_shipped', holds: ({ status }: ToldOrder) => status !== 'cancelled' },
  // Of an order in several parcels with the last of them
  'order.delivered': {
    event: 'order_delivered',
    holds: ({ status, hasArrived }: ToldOrder) => status !== 'cancelled' && hasArrived,
  },
  'order.cancelled': { event: 'order_cancelled', holds: ({ status }: ToldOrder) => status === 'cancelled' },
} as const satisfies Partial<Record<ShopEventKind, object>>;
type NewsKind = keyof typeof NEWS;

const isNews = (kind: ShopEventKind | undefined): kind is NewsKind => kind !== undefined && kind in NEWS;

/** The event, and of a parcel what its entry in the timeline names: the parcel and its waybill. Of one that its buyer has by now nothing is told. */
const EVENT = `
  SELECT e.kind, e.subject_id AS "orderId", p.courier, p.waybill, coalesce(p.quiet OR p.received_at IS NOT NULL, false) AS quiet
  FROM shop_event e
    LEFT JOIN order_event t ON e.kind = 'order.shipped' AND t.store_id = e.store_id AND t.order_id = e.subject_id::uuid AND t.id = e.id
    LEFT JOIN LATERAL (
      SELECT s.courier, s.waybill, s.quiet, s.received_at FROM shipment s
      WHERE s.store_id = t.store_id AND s.order_id = t.order_id AND s.waybill IS NOT NULL
        AND t.text = concat_ws(' ', nullif(s.courier, ''), nullif(s.service, ''), s.waybill)
      ORDER BY s.id DESC LIMIT 1) p ON true
  WHERE e.store_id = $1 AND e.id = $2`;

interface Happened {
  readonly kind: ShopEventKind;
  readonly orderId: string;
  readonly courier: string | null;
  readonly waybill: string | null;
  readonly quiet: boolean;
}

/** Two parcels that arrive at one moment are both the last, and the order has arrived once. */
const messageIdOf = ({ kind, orderId }: Happened, eventId: string): string =>
  kind === 'order.delivered' ? `order:${orderId}:delivered` : `order:${eventId}`;

export interface MessageParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pages: PayPages;
  /** Undefined: there is no chat-backend. */
  readonly messages: ChatMessages | undefined;
}

type Message = CommerceJobs['message.send'];

/** Tells buyers what happens to their orders, each event once: chat-backend sends a message of one id once. */
export class OrderMessages {
  constructor(private readonly parts: MessageParts) {}

  /** The observer of events. */
  async hear({ storeId, eventId: id, kind }: ShopEvent): Promise<void> {
    const { database, queue, messages } = this.parts;
    if (messages && isNews(kind))
      await queue.enqueue(database, 'message.send', { storeId, id }, { key: `message:${storeId}:${id}` });
  }

  /** The job of one message. Nothing is told that is not true any more, nor to who wants nothing. */
  async send(message: Message): Promise<void> {
    const { database, messages, logger } = this.parts;
    const { storeId, id } = message;
    const told = await this.textOf(database, message);
    if (!messages || !told || (await isUnwanted(database, storeId, told.phone))) return;
    try {
      await messages.send({ storeId, ...told });
    } catch (failure) {
      if (!(failure instanceof Rejected)) throw failure;
      logger.error('a buyer will never be told of their order', { store: storeId, event: id, error: failure });
    }
  }

  private async textOf(
    sql: Sql,
    { storeId, id }: Message,
  ): Promise<Pick<ChatMessage, 'phone' | 'text' | 'id'> | undefined> {
    const { pages, clock } = this.parts;
    const [happened] = await sql.prepared<Happened>('message event', EVENT, [storeId, id]);
    if (!happened || !isNews(happened.kind) || happened.quiet) return undefined;
    const order = await toldOrder(sql, { storeId, id: happened.orderId }, pages, clock.now());
    const { event, holds } = NEWS[happened.kind];
    if (!order || !holds(order)) return undefined;
    const { courier, waybill } = happened;
    const values = { ...order.values, courier: courier ?? '', waybill: waybill ?? '' };
    const text = await newsText(sql, storeId, event, values);
    if (text === undefined || text === '') return undefined;
    return { phone: order.phone, text, id: messageIdOf(happened, id) };
  }
}
