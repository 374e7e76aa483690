import type { IncomingHttpHeaders } from 'node:http';

/** The slot of a payment provider; which one fills it is known to its client alone. */
export type GatewayCode = 'a' | 'b' | 'c';

/** What a provider says of a payment. Amounts are whole, in the settlement unit of the currency. */
export interface Fact {
  readonly state: 'pending' | 'paid' | 'failed' | 'expired';
  /** `<order number>-<attempt>`, or the number of an invoice of the platform. */
  readonly invoiceNumber: string;
  readonly ref?: string;
  readonly amount: number;
  readonly currency: string;
  /** Null where it is not paid, or the provider does not tell. */
  readonly paidAt: Date | null;
  readonly channel?: string;
  /** The provider's own. */
  readonly fee?: number;
  /** In the provider's words. */
  readonly rawStatus: string;
}

export interface NewCheckout {
  /** Idempotency key of every repeat. */
  readonly requestId: string;
  readonly invoiceNumber: string;
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly buyer: { readonly name: string; readonly phone: string; readonly email?: string | undefined };
  readonly lines: readonly { readonly name: string; readonly qty: number; readonly price: number }[];
  readonly expiresAt: Date;
  /** The provider's names; none: all that the account has. */
  readonly channels: readonly string[];
  readonly returnUrl?: string;
  /** Only A is told where its notice of this payment goes. */
  readonly notifyPath?: '/api/pay_a/notification' | '/api/pay_a/checkout-notification';
}

export interface Checkout {
  /** Where the buyer pays. */
  readonly url: string;
  readonly ref: string | null;
  readonly expiresAt: Date;
}

export interface Refund {
  /** Idempotency key. */
  readonly id: string;
  /** Of the payment. */
  readonly ref: string;
  readonly amount: number;
  readonly currency: string;
  readonly reason: string;
}

export interface RefundState {
  readonly ref: string;
  readonly state: 'succeeded' | 'pending' | 'failed';
}

export interface Payout {
  /** Idempotency key. */
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  /** `BCA`; the client knows the provider's own name. */
  readonly bankCode: string;
  readonly number: string;
  readonly holder: string;
  readonly description: string;
}

export interface PayoutState {
  readonly ref: string;
  readonly state: 'accepted' | 'succeeded' | 'failed' | 'reversed';
  /** The provider's reason, in its words. */
  readonly failure?: string;
}

/**
 * One account at one provider: the platform's, or a store's own. Every call that fails rejects with `UpstreamFailed` or `UpstreamTimedOut`,
 * whose `outcome` says whether it may have been done there. A repeat with the same key does nothing twice.
 */
export interface GatewayClient {
  readonly code: GatewayCode;
  create(checkout: NewCheckout, signal?: AbortSignal): Promise<Checkout>;
  /** Null: it knows no such payment. */
  status(invoiceNumber: string, ref: string | null, signal?: AbortSignal): Promise<Fact | null>;
  /** Nobody can pay it any more; one that has ended stays as it is. */
  expire?(ref: string, signal?: AbortSignal): Promise<void>;
  refund?(refund: Refund, signal?: AbortSignal): Promise<RefundState>;
  /** Of one that it has taken, by its own name for it. */
  refundStatus?(ref: string, signal?: AbortSignal): Promise<RefundState>;
  payout?(payout: Payout, signal?: AbortSignal): Promise<PayoutState>;
  /** Null: it knows no such payout. */
  payoutStatus?(ref: string, signal?: AbortSignal): Promise<PayoutState | null>;
}

export interface Notice {
  /** Of what is told, without the route that it came by. */
  readonly dedupeKey: string;
  readonly invoiceNumber?: string;
  readonly payout?: PayoutState & { readonly referenceId: string };
  /** A's settles at once; B's after it was confirmed; C has none: ask for the status. */
  readonly fact?: Fact;
}

/** What arrives at our webhook routes for one account, in the words of its provider. */
export interface NoticeReader {
  /** On the raw bytes, before anything of them is read; in constant time. `path`: our own, as the route has it. */
  verify(headers: IncomingHttpHeaders, raw: Buffer, path: string): boolean;
  /** Throws `Malformed` for what the provider does not send. */
  parse(raw: Buffer, headers: IncomingHttpHeaders): Notice;
}
