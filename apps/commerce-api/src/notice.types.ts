import type { ShopEventKind } from './shop-event.types';

/** What members of a store are told of; each decides by which ways (`/notification/preferences`). */
export const noticeEvents = [
  'order.created',
  'order.paid',
  'order.cancelled',
  'order.review',
  'stock.low',
  'withdrawal.paid',
  'withdrawal.failed',
  'proof.sent',
  'ticket.opened',
  'job.done',
  'webhook.stopped',
  'domain.failed',
  'plan.unpaid',
  'broadcast.failed',
] as const satisfies readonly (ShopEventKind | (string & {}))[];
export type NoticeEvent = (typeof noticeEvents)[number];

export interface Notice {
  readonly storeId: string;
  /** The same id is one notice, however often it is told. */
  readonly id: string;
  readonly event: NoticeEvent;
  /** What the text of the event names, such as the number of an order. No secret. */
  readonly params: Readonly<Record<string, string | number>>;
  /** Path of the page where one sees more. */
  readonly url: string;
  /** Whom; everybody of the store whose abilities cover the event when undefined. */
  readonly userIds?: readonly string[];
}
