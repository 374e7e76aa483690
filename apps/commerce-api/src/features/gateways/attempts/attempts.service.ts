import { bigintNumber, type Database, type Sql, type Transaction } from '@platform/data';
import { Conflict, Gone, InvalidInput, NotFound, TooMany, type Failure } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import type { By } from '../../../by';
import { invalidTransition } from '../../../machine';
import { refusals } from '../../../refusals';
import { isGatewayCode, methodRefusals, type GatewayCode } from '../../paying/methods/public';
import { gatewayTimes, type Tills } from '../../sales/orders/public';
import {
  liveAttempts,
  lockPayable,
  openAttempt,
  dueOf,
  keeping,
  isLate,
  orderOfPayToken,
  payLinkRefusals,
  paymentById,
  paymentRefusals,
  type NewAttempt,
  type PayableOrder,
  type PayPages,
  type Payment,
} from '../../sales/payments/public';
import type { GatewayAccounts } from '../accounts/public';
import { plain } from '../polls/public';
import { ASKED, type Watch } from '../watch/public';
import type { Asking } from '../asking/public';
import { buyersWays } from './buyers-ways';
import type { CheckoutRequest, OpenedCheckout, PaymentRequest, ProviderStatus } from './attempts.dto';
import { BY_REFERENCE, METHOD_OF, STORE_OF_ORDER, WAITS_UNTIL } from './attempts.sql';

export type { PayPages, Tills };

const CHECK_SECONDS = 10;
/** Somebody else asks the provider for the same attempt: so long, and so often, is looked whether there is an answer. */
const OTHERS_MS = 8_000;
const LOOK_MS = 250;

export const attemptRefusals = {
  soon: (): Failure => new TooMany('The provider was asked a moment ago', { retryAfterSeconds: CHECK_SECONDS }),
  byHand: (): Failure => new Conflict('No provider knows this payment', { code: 'not_supported' }),
  atTheDoor: (): Failure =>
    new Conflict('Its parcel is on the way: it is paid to whoever brings it', { code: 'paid_at_the_door' }),
  over: (): Failure => new Gone('The order takes no payment any more', { code: 'expired' }),
} as const;

export interface AttemptParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly accounts: GatewayAccounts;
  readonly asking: Asking;
  readonly watch: Watch;
  readonly pages: PayPages;
}

interface Begun {
  readonly id: string;
  /** It was there. */
  readonly known: boolean;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Attempts to pay orders, as buyers and staff make them. */
export class Attempts {
  constructor(private readonly parts: AttemptParts) {}

  /**
   * The attempt that a buyer pays now: the one that waits at this provider, or a new one under a new number. Throws `invalid_signature`,
   * `store_suspended`, `expired`, `paid`, `paid_at_the_door`, `provider_unavailable`, `InvalidInput` for an order by another method.
   */
  async checkout({
    pay_token,
    method,
  }: CheckoutRequest): Promise<{ readonly view: OpenedCheckout; readonly known: boolean }> {
    const { clock, database, pages } = this.parts;
    const at = clock.now();
    const orderId = orderOfPayToken(pages, pay_token, at);
    const [found] = await database.prepared<{ store_id: string }>('store of order', STORE_OF_ORDER, [orderId]);
    if (!found) throw payLinkRefusals.forged();
    const by = { storeId: found.store_id, actor: 'checkout', at };
    const begun = await database.tx((tx) => this.begin(tx, by, orderId, { provider: method, door: 'buyer' }));
    const { id, url, status, expires_at } = await this.made(by.storeId, begun.id);
    return { view: { payment_id: id, url, status, expires_at }, known: begun.known };
  }

  /** The same for staff, who know the order. Throws `NotFound`, `paid`, `paid_at_the_door`, `invalid_transition`, `provider_unavailable`. */
  async create(by: By, provider: GatewayCode, { order_id, channels }: PaymentRequest): Promise<Payment> {
    const asked = { provider, channels, door: 'staff' } as const;
    const { id } = await this.parts.database.tx((tx) => this.begin(tx, by, order_id, asked));
    return this.made(by.storeId, id);
  }

  /** Asks the provider now, once in ten seconds, and resolves to the payment as it then is. Throws `NotFound`, `TooMany`, and what the client throws. */
  async check(storeId: string, id: string, signal: AbortSignal): Promise<Payment> {
    const { database, clock, watch } = this.parts;
    const { provider } = await paymentById(database, storeId, id);
    if (!isGatewayCode(provider)) throw attemptRefusals.byHand();
    const asked = await database.query(ASKED, [storeId, id, clock.now(), CHECK_SECONDS]);
    if (asked.length === 0) throw attemptRefusals.soon();
    await watch.check(storeId, id, signal);
    return paymentById(database, storeId, id);
  }

  /** What the provider says of a payment that it knows by this number or reference. Throws `NotFound`, and what the client throws. */
  async status(
    storeId: string,
    provider: GatewayCode,
    reference: string,
    signal: AbortSignal,
  ): Promise<ProviderStatus> {
    const { database, accounts } = this.parts;
    const [row] = await database.query<Referred>(BY_REFERENCE, [storeId, provider, reference]);
    const client = row && (await accounts.clientOf(storeId, provider, row.mode));
    const fact = client && (await client.status(row.invoice_number, row.provider_ref, signal));
    if (!fact) throw new NotFound('Payment not found');
    const { state, amount, currency, paidAt, channel, rawStatus } = fact;
    const paid_at = paidAt?.toISOString() ?? null;
    return {
      state,
      amount,
      currency,
      paid_at,
      channel: channel === undefined ? null : plain(channel),
      raw_status: plain(rawStatus),
    };
  }

  /** Under the lock of the order, so that of twenty who ask at once one opens it. */
  private async begin(
    tx: Transaction,
    by: By,
    orderId: string,
    asked: Pick<NewAttempt, 'door' | 'channels'> & { readonly provider: GatewayCode | undefined },
  ): Promise<Begun> {
    const order = await lockPayable(tx, by, orderId);
    const amount = payableOf(await keeping(tx, by, order), asked.door);
    const method = await methodOf(tx, by.storeId, orderId);
    const provider = providerOf(method, asked.provider);
    const live = (await liveAttempts(tx, by.storeId, orderId)).find(
      (each) => each.provider === provider && bigintNumber.from(each.amount) === amount && isPayable(each, by.at),
    );
    if (live) return { id: live.id, known: true };
    if (asked.door === 'buyer') await this.refuseUnoffered(tx, by.storeId, { provider, method, due: amount });
    const { payableUntil, heldUntil } = await gatewayTimes(tx, by);
    const of = { orderId, number: order.number };
    const attempt = { ...asked, provider, of, amount, currency: order.currency, expiresAt: payableUntil };
    const id = await openAttempt(tx, by, this.parts.accounts, attempt);
    await tx.query(WAITS_UNTIL, [by.storeId, orderId, heldUntil]);
    return { id, known: false };
  }

  /** Throws `provider_unavailable` for what is neither the order's own way to be paid nor offered for it. */
  private async refuseUnoffered(
    tx: Sql,
    storeId: string,
    { provider, method, due }: { readonly provider: GatewayCode; readonly method: Method; readonly due: number },
  ): Promise<void> {
    const { code: own, net, fee } = method;
    const ways = await buyersWays(tx, this.parts.accounts, { storeId, own, net, fee, due });
    if (!ways.includes(provider)) throw methodRefusals.noProvider();
  }

  /** Asks its provider unless it has answered already; where somebody else is asking, their answer is waited for. */
  private async made(storeId: string, id: string): Promise<Payment> {
    const { database, asking } = this.parts;
    const end = performance.now() + OTHERS_MS;
    for (;;) {
      const payment = await paymentById(database, storeId, id);
      if (payment.status !== 'created') return payment;
      if (await asking.ask(storeId, id)) return paymentById(database, storeId, id);
      if (performance.now() > end) return payment;
      await wait(LOOK_MS);
    }
  }
}

interface Method {
  readonly code: string;
  readonly net: number;
  readonly fee: number;
  readonly carried: boolean;
  readonly suspended: boolean;
}

/** Of a locked order. Throws `store_suspended`, and `paid_at_the_door`: nobody pays twice, the label says what is collected. */
const methodOf = async (sql: Sql, storeId: string, orderId: string): Promise<Method> => {
  const [method] = await sql.query<Method>(METHOD_OF, [storeId, orderId]);
  if (!method) throw new NotFound('Order not found');
  if (method.suspended) throw refusals.storeSuspended();
  if (method.carried) throw attemptRefusals.atTheDoor();
  return method;
};

/** That of the order unless one is asked for. */
const providerOf = ({ code }: Method, asked: GatewayCode | undefined): GatewayCode => {
  if (asked !== undefined) return asked;
  if (isGatewayCode(code)) return code;
  throw new InvalidInput([{ field: 'method', tag: 'required', message: 'method is a required field' }]);
};

interface Referred {
  readonly invoice_number: string;
  readonly provider_ref: string | null;
  readonly mode: 'platform' | 'direct';
}

const isPayable = ({ expires_at }: { readonly expires_at: Date | null }, now: Date): boolean =>
  expires_at === null || expires_at > now;

/** What is due of a locked order. Throws `paid`; for one that is over buyers read that they came too late, staff that it is not its state. */
const payableOf = (order: PayableOrder, door: 'buyer' | 'staff'): number => {
  if (order.status === 'cancelled')
    throw door === 'buyer' || isLate(order) ? attemptRefusals.over() : invalidTransition('cancelled');
  const due = dueOf(order);
  if (due === 0) throw paymentRefusals.paid();
  return due;
};
