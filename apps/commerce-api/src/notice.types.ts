import type { ShopEventKind } from './shop-event.types';

/** What members of a store are told of; each decides by which ways (`/notification/preferences`). */
export const noticeEvents = [
  'order.created',
  'order.paid',
  'order.cancelled',
  'order.review',
  'refund.failed',
  'stock.low',
  'withdrawal.paid',
  'withdrawal.failed',
  'proof.sent',
  'keys.lacking',
  'ticket.opened',
  'job.done',
  'webhook.stopped',
  'domain.failed',
  'plan.unpaid',
  'broadcast.failed',
  'chat.message',
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

/** What one browser of a member is told. */
export interface BrowserPush {
  readonly storeId: string;
  /** Of the browser's subscription. */
  readonly id: string;
  /** For whom: the browser may be somebody else's by the time that it is told. Undefined: queued by an older release. */
  readonly userId?: string;
  readonly event: NoticeEvent;
  /** Told to this member by name, whatever their abilities. */
  readonly named?: boolean;
  /** The team of the chat that it is about: for those who see its chats. */
  readonly team?: string;
  /** Of several under one the last is shown. */
  readonly tag: string;
  readonly title: string;
  /** What was written; undefined: its member does not let it be shown. */
  readonly body?: string;
  /** In its place; undefined: the title is enough. */
  readonly discreet?: string;
  /** Path of the page where one sees more. */
  readonly url: string;
}
