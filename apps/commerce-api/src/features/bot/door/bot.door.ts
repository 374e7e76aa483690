import type { Database, Transaction } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { orderById, type Order, type Placing } from '../../sales/orders/public';
import { payPage, type PayPages } from '../../sales/payments/public';
import { BOT, botOrderBefore, placeBotOrder, wayOf, type Way } from './bot.order';
import type { Ways } from './destination';
import type { BotCheckout, BotOrder } from './door.dto';
import { botStateOf } from './order.state';

export interface BotDoorParts extends Pick<Placing, 'buyers' | 'tills'>, Pick<Ways, 'rates' | 'areas'> {
  readonly database: Database;
  readonly clock: Clock;
  readonly pages: PayPages;
}

/** Ends a transaction that is to leave nothing behind. */
class OnlyAsked extends Error {
  constructor(readonly order: Order) {
    super('only asked');
  }
}

const shown = ({ subtotal, discount, shipping_total: shipping, fee, total, currency, ...order }: Order) => ({
  ...{ subtotal, discount, shipping, fee, total, currency },
  status: botStateOf({ ...order, isPaid: order.paid_at !== null }),
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
    const { database } = this.parts;
    const placed = (await botOrderBefore(database, this.placing(body), body)) ?? (await this.placed(body));
    return this.payable(await orderById(database, body.idStore, placed.id));
  }

  /** Where it can be paid now: at the provider that was asked after the commit, else on our page, which offers another way. */
  private payable(order: Order): BotOrder {
    const told = { orderNumber: order.number, ...shown(order) };
    if (told.status !== 'pending') return { ...told, paymentUrl: null, expiresAt: null };
    const attempt = order.payments.findLast(({ status, url }) => status === 'pending' && url !== null);
    const paymentUrl = attempt?.url ?? payPage(this.parts.pages, order);
    return { ...told, paymentUrl, expiresAt: attempt?.expires_at ?? order.pay_expires_at };
  }

  /** The same order with all its refusals, rolled back. */
  private async ask({ idempotencyKey: _key, ...body }: BotCheckout): Promise<BotOrder> {
    const way = await wayOf(this.parts, body as BotCheckout);
    try {
      return await this.parts.database.tx(async (tx) => {
        throw new OnlyAsked(await this.place(tx, body as BotCheckout, way));
      });
    } catch (thrown) {
      if (!(thrown instanceof OnlyAsked)) throw thrown;
      return { orderNumber: null, paymentUrl: null, ...shown(thrown.order), status: 'pending', expiresAt: null };
    }
  }

  /** Couriers are asked first: nobody waits for them in a transaction. */
  private async placed(body: BotCheckout): Promise<Order> {
    const way = await wayOf(this.parts, body);
    return this.parts.database.tx((tx) => this.place(tx, body, way));
  }

  private placing({ idStore: storeId }: BotCheckout): Pick<Placing, 'by' | 'buyers' | 'tills'> {
    const { buyers, tills, clock } = this.parts;
    return { by: { storeId, actor: BOT, at: clock.now() }, buyers, tills };
  }

  private place(tx: Transaction, body: BotCheckout, way: Way): Promise<Order> {
    return placeBotOrder(tx, this.placing(body), body, way);
  }
}
