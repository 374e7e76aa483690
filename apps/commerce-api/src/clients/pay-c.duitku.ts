import { equalSecrets } from '@platform/auth';
import { Malformed, UpstreamFailed } from '@platform/errors';
import { cut, systemClock, type Clock } from '@platform/runtime';
import type { Checkout, Fact, GatewayClient, NewCheckout, Notice, NoticeReader } from '../features/gateways/port';
import { duitkuCallbackSignature, duitkuCreateSignature, duitkuStatusSignature } from './duitku.signature';
import type { DuitkuAccount } from './gateway.settings';
import type { ProviderLine } from './provider.call';
import { amountOf, isRow, linesOf, minutesUntil, textAt, webAddressAt, type Row } from './provider.values';

export interface DuitkuPlace {
  readonly line: ProviderLine;
  /** Ours as Duitku sees it. */
  readonly publicUrl: string;
  readonly clock?: Clock;
}

const CREATE_MS = 8_000;
const STATUS_MS = 5_000;
const CREATE = '/api/merchant/createInvoice';
const STATUS = '/api/merchant/transactionStatus';
const CALLBACK = '/api/pay_c/callback';
const DONE = '00';
const STATES: Readonly<Record<string, Fact['state']>> = { [DONE]: 'paid', '02': 'expired' };

/** Duitku for one account. */
class DuitkuClient implements GatewayClient {
  readonly code = 'c';

  constructor(
    private readonly place: DuitkuPlace,
    private readonly account: DuitkuAccount,
  ) {}

  async create(checkout: NewCheckout, signal?: AbortSignal): Promise<Checkout> {
    if (checkout.currency !== 'IDR') throw new UpstreamFailed('duitku takes IDR only', { outcome: 'refused' });
    const { line, clock = systemClock } = this.place;
    const timestamp = String(clock.now().getTime());
    const headers = {
      ...{ 'x-duitku-merchantcode': this.account.merchant, 'x-duitku-timestamp': timestamp },
      'x-duitku-signature': duitkuCreateSignature(this.account, timestamp),
    };
    const call = { method: 'POST', path: CREATE, template: CREATE, timeoutMs: CREATE_MS, signal } as const;
    const { body } = await line.ask({ ...call, headers, body: JSON.stringify(this.body(checkout, clock.now())) });
    const row = isRow(body) ? body : {};
    const code = textAt(row, 'statusCode', 10);
    if (code !== undefined && code !== DONE) throw refused(code);
    const [url, ref] = [webAddressAt(row, 'paymentUrl'), textAt(row, 'reference', 128) ?? null];
    if (url === undefined) throw line.nonsense(call);
    return { url, ref, expiresAt: checkout.expiresAt };
  }

  async status(invoiceNumber: string, _ref: string | null, signal?: AbortSignal): Promise<Fact | null> {
    const call = { method: 'POST', path: STATUS, template: STATUS, timeoutMs: STATUS_MS, signal, also: [404] } as const;
    const { status, body } = await this.place.line.ask({
      ...{ ...call, headers: {} },
      body: JSON.stringify({
        ...{ merchantCode: this.account.merchant, merchantOrderId: invoiceNumber },
        signature: duitkuStatusSignature(this.account, invoiceNumber),
      }),
    });
    if (status === 404) return null;
    const fact = isRow(body) ? factOf(body) : undefined;
    if (fact?.invoiceNumber !== invoiceNumber) throw this.place.line.nonsense(call);
    return fact;
  }

  private body(checkout: NewCheckout, now: Date): Row {
    const { amount, invoiceNumber, description, buyer, returnUrl, channels, expiresAt } = checkout;
    const items = linesOf(checkout.lines, amount);
    const [channel] = channels.length === 1 ? channels : [];
    return {
      ...{ paymentAmount: amount, merchantOrderId: invoiceNumber, productDetails: cut(description, 255) },
      // It demands one; who gave none is not written to
      email: buyer.email ?? `no-reply@${new URL(this.place.publicUrl).hostname}`,
      ...{ phoneNumber: buyer.phone, customerVaName: cut(buyer.name, 20) },
      callbackUrl: `${this.place.publicUrl}${CALLBACK}`,
      returnUrl: returnUrl ?? this.place.publicUrl,
      expiryPeriod: minutesUntil(expiresAt, now),
      ...(channel === undefined ? {} : { paymentMethod: channel }),
      // Prices of lines are totals here
      ...(items.length > 0
        ? { itemDetails: items.map(({ name, qty, price }) => ({ name, quantity: qty, price: price * qty })) }
        : {}),
    };
  }
}

const refused = (code: string): UpstreamFailed =>
  new UpstreamFailed('duitku refused', {
    outcome: 'refused',
    cause: new Error(`duitku answered ${code} to ${CREATE}`),
  });

const factOf = (row: Row): Fact | undefined => {
  const [invoiceNumber, rawStatus] = [textAt(row, 'merchantOrderId', 64), textAt(row, 'statusCode', 10)];
  const amount = amountOf(row.amount, 'IDR');
  if (invoiceNumber === undefined || rawStatus === undefined || amount === undefined) return undefined;
  const state = Object.hasOwn(STATES, rawStatus) ? (STATES[rawStatus] ?? 'pending') : 'pending';
  const [ref, fee] = [textAt(row, 'reference', 128), amountOf(row.fee, 'IDR')];
  return {
    ...{ state, invoiceNumber, amount, currency: 'IDR', paidAt: null, rawStatus },
    ...(ref ? { ref } : {}),
    ...(fee ? { fee } : {}),
  };
};

export const duitkuClient = (place: DuitkuPlace, account: DuitkuAccount): GatewayClient =>
  new DuitkuClient(place, account);

/** The value of a field that is there once, as a form has it; '' otherwise. */
const fieldOf = (form: URLSearchParams, name: string): string => {
  const [value = '', second] = form.getAll(name);
  return second === undefined ? value : '';
};

const formOf = (raw: Buffer): URLSearchParams => new URLSearchParams(raw.toString('utf8'));

/**
 * Reads Duitku's callbacks for one account. There is no fact in them: their signature covers neither result nor reference, so that one
 * genuine callback of an order can be turned into another.
 */
export const duitkuNotices = (account: DuitkuAccount): NoticeReader => ({
  verify: (_headers, raw) => {
    const form = formOf(raw);
    const [merchant, amount, order] = ['merchantCode', 'amount', 'merchantOrderId'].map((name) => fieldOf(form, name));
    if (!amount || !order || merchant !== account.merchant) return false;
    return equalSecrets(duitkuCallbackSignature(account, amount, order), fieldOf(form, 'signature').toLowerCase());
  },
  parse: (raw): Notice => {
    const form = formOf(raw);
    const [order = '', amount = '', result] = ['merchantOrderId', 'amount', 'resultCode'].map((name) =>
      fieldOf(form, name),
    );
    if (order === '' || order.length > 64 || amount === '') throw new Malformed('This is no callback of Duitku');
    // The reference is left out: whoever changes it would be taken for somebody else each time
    const known = result === DONE || result === '01' ? result : 'other';
    return { dedupeKey: `callback:${order}:${amount}:${known}`, invoiceNumber: order };
  },
});
