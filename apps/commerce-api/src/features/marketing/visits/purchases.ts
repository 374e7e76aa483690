import type { Database, Transaction } from '@platform/data';
import { shopOf, type VisitorEvents } from './visitor.events';
import type { VisitorEvent } from './visits.dto';
import { recordAll, type Told } from './visits.sql';

/** What a browser tells of an order that its buyer has placed. */
export interface ToldPurchase {
  readonly storeId: string;
  readonly orderNumber: string;
  readonly visitorId: string;
  readonly eventId: string;
  readonly consent: boolean;
  readonly url: string;
  readonly userAgent: string | undefined;
  readonly at: Date;
}

/** Who hears of purchases, in the transaction that keeps the event. */
export type PurchaseObserver = (tx: Transaction, purchase: ToldPurchase) => Promise<void>;

/** The order that an event `purchase` names in its data. */
const orderNumberOf = ({ event, data }: VisitorEvent): string | undefined => {
  const number = event === 'purchase' ? (data as { readonly order_number?: unknown } | undefined)?.order_number : null;
  return typeof number === 'string' && number !== '' ? number : undefined;
};

/** Without query and fragment, in which an address may hold the secret of a cart; its path may too, so the origin is all that is left of it. */
const originOf = (address: string): string => new URL(address).origin;

/** Keeps an event, and has a purchase heard of; both or neither. */
export const keeping =
  (database: Database, events: Pick<VisitorEvents, 'keep'>, purchased: PurchaseObserver) =>
  async (told: Told, body: VisitorEvent, userAgent: string | undefined): Promise<void> => {
    const orderNumber = orderNumberOf(body);
    if (orderNumber === undefined) return events.keep(told);
    const { eventId, visitorId, consent, at } = told;
    await database.tx(async (tx) => {
      const storeId = shopOf(await recordAll(tx, [told]));
      const said = { eventId, visitorId, consent, url: originOf(body.url), userAgent, at };
      await purchased(tx, { storeId, orderNumber, ...said });
    });
  };
