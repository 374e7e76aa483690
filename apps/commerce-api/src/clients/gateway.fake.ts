import { UpstreamFailed, UpstreamTimedOut } from '@platform/errors';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type {
  Checkout,
  Fact,
  GatewayClient,
  GatewayCode,
  NewCheckout,
  Payout,
  PayoutState,
  Refund,
  RefundState,
} from '../features/gateways/port';

type Kept = { checkout: NewCheckout; answer: Checkout; fact: Fact };

/** `hang`: until the caller gives up, nothing is done; `refuse`: no connection; `lost`: it is done, and no answer comes; `no`: it says no. */
export type Mood = 'good' | 'hang' | 'refuse' | 'lost' | 'no';

/** A provider in memory, with accounts of no consequence. */
export class FakeGateway implements GatewayClient {
  /** How calls end. */
  mood: Mood = 'good';
  /** How the next ones end, one each. */
  readonly next: Mood[] = [];
  readonly payments = new Map<string, Kept>();
  readonly refunds = new Map<string, { refund: Refund; answer: RefundState }>();
  readonly payouts = new Map<string, { payout: Payout; answer: PayoutState }>();
  /** What it was asked, in order. */
  readonly calls: string[] = [];

  constructor(readonly code: GatewayCode) {}

  create(checkout: NewCheckout, signal?: AbortSignal): Promise<Checkout> {
    return this.answer('create', signal, () => {
      const kept = this.payments.get(checkout.invoiceNumber) ?? opened(checkout);
      this.payments.set(checkout.invoiceNumber, kept);
      return kept.answer;
    });
  }

  status(invoiceNumber: string, _ref: string | null, signal?: AbortSignal): Promise<Fact | null> {
    return this.answer('status', signal, () => this.payments.get(invoiceNumber)?.fact ?? null);
  }

  expire(ref: string, signal?: AbortSignal): Promise<void> {
    return this.answer('expire', signal, () => {
      const found = [...this.payments.values()].find(({ answer }) => answer.ref === ref);
      if (!found) throw refused();
      if (found.fact.state === 'pending') this.become(found.fact.invoiceNumber, 'expired');
    });
  }

  refund(refund: Refund, signal?: AbortSignal): Promise<RefundState> {
    return this.answer('refund', signal, () => {
      const before = this.refunds.get(refund.id);
      if (before) return before.answer;
      const paid = [...this.payments.values()].find(({ answer }) => answer.ref === refund.ref)?.fact;
      const back = [...this.refunds.values()].filter((each) => each.refund.ref === refund.ref);
      const left = back.reduce((sum, each) => sum - each.refund.amount, paid?.amount ?? 0);
      if (paid?.state !== 'paid' || refund.amount > left) throw refused();
      const answer: RefundState = { ref: randomUUID(), state: 'succeeded' };
      this.refunds.set(refund.id, { refund, answer });
      return answer;
    });
  }

  payout(payout: Payout, signal?: AbortSignal): Promise<PayoutState> {
    return this.answer('payout', signal, () => {
      const kept = this.payouts.get(payout.id) ?? { payout, answer: { ref: randomUUID(), state: 'accepted' } };
      this.payouts.set(payout.id, kept);
      return kept.answer;
    });
  }

  payoutStatus(ref: string, signal?: AbortSignal): Promise<PayoutState | null> {
    return this.answer('payoutStatus', signal, () => {
      const found = [...this.payouts.values()].find(({ answer }) => answer.ref === ref);
      return found?.answer ?? null;
    });
  }

  /** The buyer pays, all of it unless told; or it ends otherwise. */
  become(invoiceNumber: string, state: Fact['state'], amount?: number): void {
    const kept = this.payments.get(invoiceNumber);
    if (!kept) throw new Error(`nobody asked this gateway for ${invoiceNumber}`);
    const paidAt = state === 'paid' ? new Date() : null;
    kept.fact = { ...kept.fact, state, amount: amount ?? kept.checkout.amount, paidAt, rawStatus: state.toUpperCase() };
  }

  /** A payout comes to this. */
  settle(id: string, state: PayoutState['state'], failure?: string): void {
    const kept = this.payouts.get(id);
    if (!kept) throw new Error(`nobody asked this gateway for payout ${id}`);
    this.payouts.set(id, { ...kept, answer: { ref: kept.answer.ref, state, ...(failure ? { failure } : {}) } });
  }

  private async answer<T>(what: string, signal: AbortSignal | undefined, done: () => T): Promise<T> {
    this.calls.push(what);
    const mood = this.next.shift() ?? this.mood;
    if (mood === 'refuse') throw new UpstreamFailed('the gateway did not answer', { outcome: 'undone' });
    if (mood === 'no') throw refused();
    if (mood === 'hang') {
      if (signal && !signal.aborted) await once(signal, 'abort');
      throw new UpstreamTimedOut('the gateway did not answer in time');
    }
    const answer = done();
    if (mood === 'lost') throw new UpstreamFailed('the gateway did not answer');
    return answer;
  }
}

const refused = (): UpstreamFailed => new UpstreamFailed('the gateway answered 400', { outcome: 'refused' });

const opened = (checkout: NewCheckout): Kept => {
  const { invoiceNumber, amount, currency, expiresAt } = checkout;
  const ref = randomUUID();
  const fact = { state: 'pending', invoiceNumber, ref, amount, currency, paidAt: null, rawStatus: 'PENDING' } as const;
  return { checkout, fact, answer: { url: `https://pay.example/${ref}`, ref, expiresAt } };
};
