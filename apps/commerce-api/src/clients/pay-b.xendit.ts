import { equalSecrets } from '@platform/auth';
import { Malformed, UpstreamFailed } from '@platform/errors';
import { systemClock, type Clock } from '@platform/runtime';
import type { IncomingHttpHeaders } from 'node:http';
import type {
  Checkout,
  Fact,
  GatewayClient,
  NewCheckout,
  Notice,
  NoticeReader,
  Payout,
  PayoutState,
  Refund,
  RefundState,
} from '../features/gateways/port';
import type { XenditAccount } from './gateway.settings';
import type { ProviderAnswer, ProviderCall, ProviderLine } from './provider.call';
import {
  amountOf,
  isRow,
  jsonRow,
  linesOf,
  majorOf,
  minutesUntil,
  textAt,
  timeAt,
  webAddressAt,
  type Row,
} from './provider.values';
import { payoutNoticeOf, payoutStateOf } from './xendit.payout';

export interface XenditPlace {
  readonly line: ProviderLine;
  readonly clock?: Clock;
}

const CREATE_MS = 8_000;
const CALL_MS = 5_000;
const REASONS = new Set(['REQUESTED_BY_CUSTOMER', 'CANCELLATION', 'DUPLICATE', 'FRAUDULENT', 'OTHERS']);
const STATES: Readonly<Record<string, Fact['state']>> = { PAID: 'paid', SETTLED: 'paid', EXPIRED: 'expired' };

const stateOf = (status: string): Fact['state'] =>
  Object.hasOwn(STATES, status) ? (STATES[status] ?? 'pending') : 'pending';

const factOf = (row: Row): Fact | undefined => {
  const [ref, invoiceNumber] = [textAt(row, 'id', 128), textAt(row, 'external_id', 128)];
  const [rawStatus, currency] = [textAt(row, 'status', 40), textAt(row, 'currency', 3) ?? 'IDR'];
  if (ref === undefined || invoiceNumber === undefined || rawStatus === undefined) return undefined;
  const state = stateOf(rawStatus);
  const amount = amountOf(state === 'paid' ? (row.paid_amount ?? row.amount) : row.amount, currency);
  if (amount === undefined) return undefined;
  const [channel, fee] = [textAt(row, 'payment_channel', 60), amountOf(row.fees_paid_amount, currency)];
  const paidAt = state === 'paid' ? timeAt(row, 'paid_at') : null;
  return {
    ...{ state, invoiceNumber, ref, amount, currency, paidAt, rawStatus },
    ...(channel ? { channel } : {}),
    ...(fee ? { fee } : {}),
  };
};

/** Undefined: it is none. */
const refundStateOf = (body: unknown): RefundState | undefined => {
  const row = isRow(body) ? body : {};
  const [ref, status] = [textAt(row, 'id', 128), textAt(row, 'status', 40)];
  if (ref === undefined || status === undefined) return undefined;
  const isOver = status === 'FAILED' || status === 'CANCELLED';
  return { ref, state: status === 'SUCCEEDED' ? 'succeeded' : isOver ? 'failed' : 'pending' };
};

type Asked = Omit<ProviderCall, 'headers' | 'body'> & { readonly json?: Row; readonly key?: string };

/** Xendit for one account: invoices, payouts, refunds. */
class XenditClient implements GatewayClient {
  readonly code = 'b';

  constructor(
    private readonly place: XenditPlace,
    private readonly account: XenditAccount,
  ) {}

  /** Xendit knows no key for repeats of invoices: one that is there is found by its number. */
  async create(checkout: NewCheckout, signal?: AbortSignal): Promise<Checkout> {
    const call = {
      method: 'POST',
      path: '/v2/invoices/',
      template: '/v2/invoices/',
      timeoutMs: CREATE_MS,
      signal,
    } as const;
    const before = (await this.invoicesOf(checkout.invoiceNumber, signal)).find((each) => isSame(each, checkout));
    const row = before ?? (await this.ask({ ...call, json: this.body(checkout) })).body;
    const told = isRow(row) ? row : {};
    const [ref, url] = [textAt(told, 'id', 128), webAddressAt(told, 'invoice_url')];
    if (ref === undefined || url === undefined) throw this.place.line.nonsense(call);
    return { url, ref, expiresAt: timeAt(told, 'expiry_date') ?? checkout.expiresAt };
  }

  /** By the number: after an answer that was lost there may be two invoices of it, and the buyer paid one. */
  async status(invoiceNumber: string, ref: string | null, signal?: AbortSignal): Promise<Fact | null> {
    const named = await this.invoicesOf(invoiceNumber, signal);
    const rows = named.length > 0 || ref === null ? named : await this.invoice(ref, signal);
    if (rows.length === 0) return null;
    const facts = rows.map(factOf).filter((fact) => fact?.invoiceNumber === invoiceNumber);
    const fact = [facts.find((each) => each?.state === 'paid'), facts.find((each) => each?.ref === ref), facts[0]].find(
      (each) => each !== undefined,
    );
    if (!fact) throw this.place.line.nonsense({ method: 'GET', template: '/v2/invoices' });
    return fact;
  }

  async expire(ref: string, signal?: AbortSignal): Promise<void> {
    const path = `/invoices/${encodeURIComponent(ref)}/expire!`;
    const ended = this.ask({ method: 'POST', path, template: '/invoices/{id}/expire!', timeoutMs: CALL_MS, signal });
    await ended.catch(async (thrown: unknown) => {
      // It refuses what has ended, which is nothing to do here
      const [row] =
        thrown instanceof UpstreamFailed && thrown.outcome === 'refused' ? await this.invoice(ref, signal) : [];
      if (!row || stateOf(textAt(row, 'status') ?? '') === 'pending') throw thrown;
    });
  }

  async refund({ id, ref, amount, currency, reason }: Refund, signal?: AbortSignal): Promise<RefundState> {
    const call = { method: 'POST', path: '/refunds', template: '/refunds', timeoutMs: CALL_MS, signal } as const;
    const json = {
      ...{ invoice_id: ref, reference_id: id, amount: majorOf(amount, currency), currency },
      reason: REASONS.has(reason) ? reason : 'OTHERS',
    };
    const { body } = await this.ask({ ...call, json, key: id, meaning: { 409: 'unknown' } });
    const state = refundStateOf(body);
    if (!state) throw this.place.line.nonsense(call);
    return state;
  }

  async refundStatus(ref: string, signal?: AbortSignal): Promise<RefundState> {
    const path = `/refunds/${encodeURIComponent(ref)}`;
    const call = { method: 'GET', path, template: '/refunds/{id}', timeoutMs: CALL_MS, signal } as const;
    const { body } = await this.ask(call);
    const state = refundStateOf(body);
    if (state?.ref !== ref) throw this.place.line.nonsense(call);
    return state;
  }

  async payout(payout: Payout, signal?: AbortSignal): Promise<PayoutState> {
    const call = { method: 'POST', path: '/v2/payouts', template: '/v2/payouts', timeoutMs: CALL_MS, signal } as const;
    const { id, amount, currency, bankCode, number, holder, description } = payout;
    const json = {
      ...{ reference_id: id, channel_code: `ID_${bankCode}`, currency, amount: majorOf(amount, currency), description },
      channel_properties: { account_number: number, account_holder_name: holder },
    };
    // 409: the key was used before, so that there may be a payout of it
    const { body } = await this.ask({ ...call, json, key: id, meaning: { 409: 'unknown' } });
    const state = isRow(body) && body.reference_id === id ? payoutStateOf(body) : undefined;
    if (!state) throw this.place.line.nonsense(call);
    return state;
  }

  async payoutStatus(ref: string, signal?: AbortSignal): Promise<PayoutState | null> {
    const path = `/v2/payouts/${encodeURIComponent(ref)}`;
    const call = {
      method: 'GET',
      path,
      template: '/v2/payouts/{id}',
      timeoutMs: CALL_MS,
      signal,
      also: [404],
    } as const;
    const { status, body } = await this.ask(call);
    if (status === 404) return null;
    const state = isRow(body) ? payoutStateOf(body) : undefined;
    if (state?.ref !== ref) throw this.place.line.nonsense(call);
    return state;
  }

  private ask({ json, key, ...call }: Asked): Promise<ProviderAnswer> {
    const authorization = `Basic ${Buffer.from(`${this.account.key}:`).toString('base64')}`;
    const headers = { authorization, ...(key === undefined ? {} : { 'idempotency-key': key }) };
    return this.place.line.ask({ ...call, headers, body: json && JSON.stringify(json) });
  }

  private async invoice(ref: string, signal?: AbortSignal): Promise<Row[]> {
    const path = `/v2/invoices/${encodeURIComponent(ref)}`;
    const call = {
      method: 'GET',
      path,
      template: '/v2/invoices/{id}',
      timeoutMs: CALL_MS,
      signal,
      also: [404],
    } as const;
    const { status, body } = await this.ask(call);
    if (status === 404) return [];
    if (!isRow(body)) throw this.place.line.nonsense(call);
    return [body];
  }

  /** The newest first. */
  private async invoicesOf(invoiceNumber: string, signal?: AbortSignal): Promise<Row[]> {
    const path = `/v2/invoices?external_id=${encodeURIComponent(invoiceNumber)}`;
    const call = { method: 'GET', path, template: '/v2/invoices', timeoutMs: CALL_MS, signal } as const;
    const { body } = await this.ask(call);
    if (!Array.isArray(body)) throw this.place.line.nonsense(call);
    return body.filter(isRow).filter((row) => row.external_id === invoiceNumber);
  }

  private body(checkout: NewCheckout): Row {
    const { invoiceNumber, amount, currency, description, returnUrl, channels, buyer, expiresAt } = checkout;
    const items = linesOf(checkout.lines, amount);
    const now = (this.place.clock ?? systemClock).now();
    return {
      ...{ external_id: invoiceNumber, amount: majorOf(amount, currency), currency, description },
      invoice_duration: minutesUntil(expiresAt, now) * 60,
      customer: { given_names: buyer.name, mobile_number: buyer.phone, ...(buyer.email ? { email: buyer.email } : {}) },
      ...(returnUrl ? { success_redirect_url: returnUrl, failure_redirect_url: returnUrl } : {}),
      ...(channels.length > 0 ? { payment_methods: channels } : {}),
      ...(items.length > 0
        ? { items: items.map(({ name, qty, price }) => ({ name, quantity: qty, price: majorOf(price, currency) })) }
        : {}),
    };
  }
}

const isSame = (row: Row, { amount, currency }: NewCheckout): boolean =>
  row.status !== 'EXPIRED' && (row.currency ?? 'IDR') === currency && amountOf(row.amount, currency) === amount;

export const xenditClient = (place: XenditPlace, account: XenditAccount): GatewayClient =>
  new XenditClient(place, account);

const tokenOf = (headers: IncomingHttpHeaders): string => {
  const token = headers['x-callback-token'];
  return typeof token === 'string' ? token : '';
};

/** Reads Xendit's notices for one account. The token proves the sender alone: a fact of an invoice is to be confirmed. */
export const xenditNotices = ({ callback_token: token }: XenditAccount): NoticeReader => ({
  verify: (headers) => equalSecrets(token, tokenOf(headers)),
  parse: (raw): Notice => {
    const row = jsonRow(raw);
    const payout = row && payoutNoticeOf(row);
    if (payout) return payout;
    const fact = row && !('event' in row) ? factOf(row) : undefined;
    if (!fact) throw new Malformed('This is no notice of Xendit');
    return { dedupeKey: `invoice:${fact.ref ?? ''}:${fact.rawStatus}`, invoiceNumber: fact.invoiceNumber, fact };
  },
});
