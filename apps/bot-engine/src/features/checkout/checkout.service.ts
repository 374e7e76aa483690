import { createHash, randomBytes } from 'node:crypto';
import { Unavailable } from '@platform/errors';
import { timeLimit, uuidv7, type Clock } from '@platform/runtime';
import type { Database } from '@platform/data';
import type { CheckoutOrder, CheckoutTotals, CommerceClient } from '../../clients/commerce.client';
import type { Queue } from '../../jobs';
import type { ToolContext, ToolOutcome } from '../tools/public';
import { cartHash, merged } from './cart.hash';
import type { CreateCheckout } from './checkout.dto';
import type { Checkout, CheckoutArgs, CheckoutRepository } from './checkout.repository';

export interface CheckoutParts {
  readonly database: Database;
  readonly checkouts: CheckoutRepository;
  readonly commerce: Pick<CommerceClient, 'dryRun' | 'createCheckout'>;
  readonly queue: Queue;
  readonly clock: Clock;
  /** Of each call to commerce: three of them fit into the time of the tool. */
  readonly callMs?: number;
}

/** A customer who has said yes later than this is asked again. */
const GOOD_MS = 30 * 60_000;
const CALL_MS = 3_000;
const TRIES = 2;
/** When nobody knows whether the order was made, or the process ended meanwhile. */
const FIRST_REPEAT_MS = 15_000;

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const newToken = (): string => `c_${[...randomBytes(26)].map((byte) => BASE32[byte & 31]).join('')}`;

/** Why a token did not order anything. */
type Doubt =
  'confirmation_unknown' | 'confirmation_too_early' | 'confirmation_expired' | 'order_changed' | 'total_changed';

const argsOf = (args: CreateCheckout, { store, customer, instanceId }: ToolContext): CheckoutArgs => {
  const { customerName: name, address, destination, courier, coupon, items } = args;
  return {
    ...{ idStore: store.id, idUser: customer, ...(instanceId !== undefined && { instanceID: instanceId }) },
    ...{ items: merged(items), customer: { name, address, destination } },
    ...(courier !== undefined && { courier }),
    ...(coupon !== undefined && { coupon }),
  };
};

/** The same checkout, once for ever. */
export const idempotencyKeyOf = ({ conversationId, cartHash: cart, confirmToken }: Checkout): string =>
  createHash('sha256')
    .update(JSON.stringify([conversationId, cart, confirmToken]))
    .digest('hex');

const shownTotals = ({ subtotal, discount, shipping, fee, total, currency }: CheckoutTotals) => ({
  ...{ subtotal, ...(discount > 0 && { discount }), shipping, ...(fee > 0 && { fee }), total, currency },
});

/** The order as the model may tell of it; the quote that it came from is open no more. */
const told = ({ orderNumber, paymentUrl, total, expiresAt, status }: CheckoutOrder): ToolOutcome => ({
  result: { orderNumber, status, paymentUrl, total, expiresAt },
  facts: { orders: [orderNumber], quote: undefined },
});

/**
 * Orders in two phases (design 3.5): what it would cost first, the order when the customer has agreed to exactly that in a later
 * message. Neither a hallucination nor an injected line can order anything.
 */
export class CheckoutService {
  constructor(private readonly parts: CheckoutParts) {}

  async run({ confirmToken, ...args }: CreateCheckout, context: ToolContext): Promise<ToolOutcome> {
    if (context.rehearsal || confirmToken === undefined) return this.quote(args, context);
    const { checkouts } = this.parts;
    const found = await checkouts.byToken(context.store.id, context.conversationId, confirmToken, this.now());
    if (!found || found.state === 'superseded') return this.quote(args, context, 'confirmation_unknown');
    const doubt = this.doubtOf(found, cartHash(args), context);
    if (doubt) return this.quote(args, context, doubt);
    return found.state === 'quoted' ? this.confirm(found, args, context) : this.order(found, context);
  }

  /** Whether this customer has seen this quote, and has agreed to it in time. */
  private doubtOf(found: Checkout, hash: string, { runId, leadToken }: ToolContext): Doubt | undefined {
    const isOfThisRequest = found.runId === runId || (leadToken !== undefined && found.leadToken === leadToken);
    if (isOfThisRequest || !found.isCommitted) return 'confirmation_too_early';
    if (found.cartHash !== hash) return 'order_changed';
    return found.state === 'quoted' && found.ageMs >= GOOD_MS ? 'confirmation_expired' : undefined;
  }

  /** What it would cost, as a quote that can be confirmed later; a rehearsal leaves nothing behind. */
  private async quote(args: CreateCheckout, context: ToolContext, reason?: Doubt): Promise<ToolOutcome> {
    const request = argsOf(args, context);
    const totals = await this.parts.commerce.dryRun(request, this.within(context.signal));
    return this.quoted(args, context, totals, reason);
  }

  private async quoted(
    args: CreateCheckout,
    context: ToolContext,
    totals: CheckoutTotals,
    reason?: Doubt,
  ): Promise<ToolOutcome> {
    const { store, conversationId, runId, rehearsal } = context;
    const [confirmToken, now] = [newToken(), this.now()];
    const row = { id: uuidv7(), conversationId, runId, confirmToken, cartHash: cartHash(args), totals };
    if (!rehearsal) await this.parts.checkouts.quote(store.id, { ...row, args: argsOf(args, context) }, now);
    return {
      result: { status: 'needs_confirmation', ...(reason && { reason }), ...shownTotals(totals), confirmToken },
      facts: { quote: { args: { ...args }, confirmToken, runId, at: now.getTime() } },
    };
  }

  /** The customer has agreed: as long as it costs what they were told, it is ordered. */
  private async confirm(found: Checkout, args: CreateCheckout, context: ToolContext): Promise<ToolOutcome> {
    const { checkouts, commerce, database, queue } = this.parts;
    const storeId = context.store.id;
    const totals = await commerce.dryRun(found.args, this.within(context.signal));
    if (totals.total !== found.total) {
      await checkouts.supersede(storeId, found.id, ['quoted'], this.now());
      return this.quoted(args, context, totals, 'total_changed');
    }
    const begun = { id: found.id, key: idempotencyKeyOf(found), at: this.now() };
    await database.tx(async (tx) => {
      if (!(await checkouts.begin(tx, storeId, begun))) return;
      const options = { afterSeconds: (FIRST_REPEAT_MS + TRIES * CALL_MS) / 1_000, maxAttempts: 3 };
      await queue.enqueue(tx, 'checkout.create', { storeId, id: found.id, tries: 0 }, options);
    });
    return this.order(found, context);
  }

  /** The order, made now or before. Without an answer the job goes on, and tells the customer. */
  private async order(found: Checkout, { store, signal }: ToolContext): Promise<ToolOutcome> {
    const { checkouts, commerce } = this.parts;
    const request = { ...found.args, expectedTotal: found.total, idempotencyKey: idempotencyKeyOf(found) };
    for (let left = TRIES; left > 0; left -= 1) {
      const order = await commerce
        .createCheckout(request, this.within(signal))
        .catch((failure: unknown) => this.refused(failure, found, store.id));
      if (!order) continue;
      // Where it cannot be written down the order stands nevertheless: the job finds it
      await checkouts.ordered(store.id, found.id, order, this.now());
      return told(order);
    }
    return { result: { status: 'processing', total: found.total }, facts: { quote: undefined } };
  }

  /** Throws what commerce refuses, after which this can be ordered no more; returns when nobody knows whether it was ordered. */
  private async refused(failure: unknown, found: Checkout, storeId: string): Promise<undefined> {
    if (failure instanceof Unavailable) return undefined;
    await this.parts.checkouts.supersede(storeId, found.id, ['creating'], this.now());
    throw failure;
  }

  private within(signal: AbortSignal): AbortSignal {
    return timeLimit(this.parts.callMs ?? CALL_MS, signal);
  }

  private now(): Date {
    return this.parts.clock.now();
  }
}
