import type { Database, Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { payUrlOf, type PayPages } from '../../checkout/sessions/public';
import type { Order, Placing } from '../../sales/orders/public';
import { BOT, placeBotOrder } from './bot.order';
import type { BotCheckout, BotOrder } from './door.dto';

/** Asks the provider of an order that is placed, after its commit; undefined where there is nothing to ask or nobody answers. */
export type FirstAttempt = (order: {
  readonly storeId: string;
  readonly orderId: string;
}) => Promise<string | undefined>;

export interface BotDoorParts extends Pick<Placing, 'buyers'> {
  readonly database: Database;
  readonly clock: Clock;
  readonly pages: PayPages;
  readonly attempt: FirstAttempt;
}

/** Ends a transaction that is to leave nothing behind. */
class OnlyAsked extends Error {
  constructor(readonly order: Order) {
    super('only asked');
  }
}

const shown = ({ subtotal, discount, shipping_total: shipping, fee, total, currency, ...order }: Order) => ({
  ...{ subtotal, discount, shipping, fee, total, currency },
  status: order.payment_status === 'paid' ? ('paid' as const) : ('pending' as const),
});

/** Where the bot orders for the buyers whom it talks to. */
export class BotDoor {
  constructor(private readonly parts: BotDoorParts) {}

  /** Throws as `placeBotOrder` does. */
  async checkout(body: BotCheckout): Promise<BotOrder> {
    if (body.dryRun) return this.ask(body);
    const field = 'idempotencyKey';
    if (body.idempotencyKey === undefined)
      throw new InvalidInput([{ field, tag: 'required', message: `${field} is a required field` }]);
    const { database, pages, attempt } = this.parts;
    const order = await database.tx((tx) => this.place(tx, body));
    const url = await attempt({ storeId: body.idStore, orderId: order.id });
    return {
      orderNumber: order.number,
      paymentUrl: url ?? payUrlOf(pages, order),
      ...shown(order),
      expiresAt: order.pay_expires_at,
    };
  }

  /** The same order with all its refusals, rolled back. */
  private async ask({ idempotencyKey: _key, ...body }: BotCheckout): Promise<BotOrder> {
    try {
      return await this.parts.database.tx(async (tx) => {
        throw new OnlyAsked(await this.place(tx, body as BotCheckout));
      });
    } catch (thrown) {
      if (!(thrown instanceof OnlyAsked)) throw thrown;
      return { orderNumber: null, paymentUrl: null, ...shown(thrown.order), status: 'pending', expiresAt: null };
    }
  }

  private place(tx: Sql, body: BotCheckout): Promise<Order> {
    const { buyers, clock } = this.parts;
    return placeBotOrder(tx, { by: { storeId: body.idStore, actor: BOT, at: clock.now() }, buyers }, body);
  }
}
