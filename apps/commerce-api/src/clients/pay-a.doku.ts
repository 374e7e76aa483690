import { equalSecrets } from '@platform/auth';
import { Malformed, UpstreamFailed } from '@platform/errors';
import { cut, systemClock, uuidv7, type Clock } from '@platform/runtime';
import type { IncomingHttpHeaders } from 'node:http';
import type { Checkout, Fact, GatewayClient, NewCheckout, Notice, NoticeReader } from '../features/gateways/port';
import { dokuSignature, dokuTimestamp } from './doku.signature';
import type { DokuAccount } from './gateway.settings';
import type { ProviderAnswer, ProviderCall, ProviderLine } from './provider.call';
import {
  amountOf,
  isRow,
  jsonRow,
  linesOf,
  minutesUntil,
  rowAt,
  textAt,
  timeAt,
  webAddressAt,
  type Row,
} from './provider.values';

export interface DokuPlace {
  readonly line: ProviderLine;
  /** Ours as DOKU sees it. */
  readonly publicUrl: string;
  readonly clock?: Clock;
}

const CREATE_MS = 8_000;
const STATUS_MS = 5_000;
const CREATE = '/checkout/v1/payment';
const STATUS = '/orders/v1/status/';

/** SUCCESS, EXPIRED and REFUNDED are final; what was refunded has no money left. All others may still be paid. */
const STATES: Readonly<Record<string, Fact['state']>> = {
  SUCCESS: 'paid',
  EXPIRED: 'expired',
  FAILED: 'failed',
  REFUNDED: 'failed',
};

/** Texts may have these characters only. */
const plain = (text: string): string => cut(text.replace(/[^a-zA-Z0-9 .\-/+,=_:'@%]/g, ' '), 255);

const factOf = (row: Row): Fact | undefined => {
  const [order, transaction] = [rowAt(row, 'order'), rowAt(row, 'transaction')];
  const currency = textAt(order, 'currency', 3) ?? 'IDR';
  const amount = amountOf(order.amount, currency);
  const [invoiceNumber, rawStatus] = [textAt(order, 'invoice_number', 64), textAt(transaction, 'status', 40)];
  if (amount === undefined || invoiceNumber === undefined || rawStatus === undefined) return undefined;
  const state = Object.hasOwn(STATES, rawStatus) ? (STATES[rawStatus] ?? 'pending') : 'pending';
  const channel = textAt(rowAt(row, 'channel'), 'id', 60);
  const paidAt = state === 'paid' ? timeAt(transaction, 'date') : null;
  return { state, invoiceNumber, amount, currency, paidAt, rawStatus, ...(channel ? { channel } : {}) };
};

/** DOKU Checkout (non-SNAP) for one account. */
class DokuClient implements GatewayClient {
  readonly code = 'a';

  constructor(
    private readonly place: DokuPlace,
    private readonly account: DokuAccount,
  ) {}

  async create(checkout: NewCheckout, signal?: AbortSignal): Promise<Checkout> {
    if (checkout.currency !== 'IDR') throw new UpstreamFailed('doku takes IDR only', { outcome: 'refused' });
    const call = { method: 'POST', path: CREATE, template: CREATE, timeoutMs: CREATE_MS, signal } as const;
    const body = JSON.stringify(this.body(checkout));
    // 409: it knows this Request-Id, and repeats what it answered then
    const answer = await this.ask({ ...call, body, also: [409] }, checkout.requestId);
    const told = isRow(answer.body) ? answer.body : {};
    const payment = [rowAt(rowAt(told, 'response'), 'payment'), rowAt(told, 'payment')].find((each) => 'url' in each);
    const url = payment && webAddressAt(payment, 'url');
    if (!payment || url === undefined) throw this.place.line.nonsense(call);
    return { url, ref: textAt(payment, 'token_id', 128) ?? null, expiresAt: checkout.expiresAt };
  }

  async status(invoiceNumber: string, _ref: string | null, signal?: AbortSignal): Promise<Fact | null> {
    const path = `${STATUS}${encodeURIComponent(invoiceNumber)}`;
    const call = { method: 'GET', path, template: `${STATUS}{id}`, timeoutMs: STATUS_MS, signal, also: [404] } as const;
    const answer = await this.ask(call, uuidv7());
    if (answer.status === 404) return null;
    const fact = isRow(answer.body) ? factOf(answer.body) : undefined;
    if (fact?.invoiceNumber !== invoiceNumber) throw this.place.line.nonsense(call);
    return fact;
  }

  private ask(call: Omit<ProviderCall, 'headers'>, requestId: string): Promise<ProviderAnswer> {
    const { client_id: clientId, secret } = this.account;
    const timestamp = dokuTimestamp((this.place.clock ?? systemClock).now());
    const signed = { clientId, requestId, timestamp, target: call.path, body: call.body };
    const headers = {
      ...{ 'Client-Id': clientId, 'Request-Id': requestId, 'Request-Timestamp': timestamp },
      Signature: dokuSignature(signed, secret),
    };
    return this.place.line.ask({ ...call, headers });
  }

  private body(checkout: NewCheckout): Row {
    const { amount, invoiceNumber, currency, returnUrl, channels, buyer, notifyPath } = checkout;
    const lines = linesOf(checkout.lines, amount).map(({ name, qty, price }) => ({
      name: plain(name),
      quantity: qty,
      price,
    }));
    const back = returnUrl && { callback_url: returnUrl, callback_url_result: returnUrl, auto_redirect: true };
    const now = (this.place.clock ?? systemClock).now();
    return {
      order: {
        ...{ amount, invoice_number: invoiceNumber, currency, ...back },
        ...(lines.length > 0 ? { line_items: lines } : {}),
      },
      payment: {
        payment_due_date: minutesUntil(checkout.expiresAt, now),
        ...(channels.length > 0 ? { payment_method_types: channels } : {}),
      },
      customer: {
        ...{ name: plain(buyer.name), phone: buyer.phone.replace(/\D/g, '') },
        ...(buyer.email ? { email: buyer.email } : {}),
      },
      ...(notifyPath ? { additional_info: { override_notification_url: `${this.place.publicUrl}${notifyPath}` } } : {}),
    };
  }
}

export const dokuClient = (place: DokuPlace, account: DokuAccount): GatewayClient => new DokuClient(place, account);

const headerOf = (headers: IncomingHttpHeaders, name: string): string => {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
};

/** Reads DOKU's notices for one account. */
export const dokuNotices = (publicUrl: string, { client_id: clientId, secret }: DokuAccount): NoticeReader => ({
  verify: (headers, raw, path) => {
    const given = headerOf(headers, 'signature');
    const request = {
      ...{ requestId: headerOf(headers, 'request-id'), timestamp: headerOf(headers, 'request-timestamp') },
      // As DOKU knows it: what stands before us may have rewritten the path
      ...{ clientId, target: new URL(`${publicUrl}${path}`).pathname, body: raw },
    };
    return equalSecrets(dokuSignature(request, secret), given) && headerOf(headers, 'client-id') === clientId;
  },
  parse: (raw): Notice => {
    const row = jsonRow(raw);
    const fact = row && factOf(row);
    if (!fact) throw new Malformed('This is no notice of DOKU');
    const request = textAt(rowAt(row, 'transaction'), 'original_request_id', 128) ?? '';
    const dedupeKey = [fact.invoiceNumber, fact.rawStatus, request].join(':');
    return { dedupeKey, invoiceNumber: fact.invoiceNumber, fact };
  },
});
