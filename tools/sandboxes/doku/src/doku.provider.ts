import { randomUUID } from 'node:crypto';
import {
  jsonObject,
  numberAt,
  recordAt,
  Refused,
  textAt,
  type Account,
  type Answer,
  type Call,
  type Json,
  type NoticeRow,
  type NoticeText,
  type Provider,
  type Till,
  type TillPayment,
} from '@platform/sandbox-till';
import { isSame, signatureOf, timestampOf } from './signature';

const REQUESTS = 'requests';
const ANY_CHANNEL = 'VIRTUAL_ACCOUNT_BCA';
const STATUSES = { pending: 'PENDING', paid: 'SUCCESS', failed: 'FAILED', expired: 'EXPIRED' } as const;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const MOST_AMOUNT = 999_999_999_999;
const LONGEST_ID = 128;

const refusal = (status: number, code: string, message: string): Refused =>
  new Refused({ status, json: { error: { code, message, type: 'invalid_request_error' } } });

const digits = (at: Date): string => at.toISOString().replace(/\D/g, '').slice(0, 14);

const checkOrder = (order: Json): { invoice: string; amount: number } => {
  const [invoice, amount] = [textAt(order, 'invoice_number'), numberAt(order, 'amount')];
  if (!invoice || invoice.length > 64) throw refusal(400, 'invalid_parameter', 'order.invoice_number is 1 to 64 long');
  const fits = amount !== undefined && Number.isInteger(amount) && amount > 0 && amount <= MOST_AMOUNT;
  if (!fits) throw refusal(400, 'invalid_parameter', 'order.amount is a whole number of at most 12 digits');
  if ((textAt(order, 'currency') ?? 'IDR') !== 'IDR') throw refusal(400, 'invalid_parameter', 'order.currency is IDR');
  return { invoice, amount };
};

/** DOKU Checkout, non-SNAP. `noticeUrl`: of the account, where a payment names no other. */
export class DokuProvider implements Provider {
  readonly name = 'DOKU';
  /** 30 minutes, 6 hours, 12 hours. */
  readonly ladder = [30, 360, 720];

  constructor(
    private readonly till: Till,
    private readonly noticeUrl: string | null,
  ) {}

  serve(call: Call): Answer | undefined {
    if (call.method === 'POST' && call.path === '/checkout/v1/payment') return this.create(call);
    const [, id] = /^\/orders\/v1\/status\/([^/]+)$/.exec(call.path) ?? [];
    return call.method === 'GET' && id !== undefined ? this.status(call, decodeURIComponent(id)) : undefined;
  }

  notice(payment: TillPayment): NoticeText {
    return { type: 'application/json', body: JSON.stringify(this.facts(payment)) };
  }

  sign({ account, url, body }: NoticeRow, secret: 'own' | 'foreign'): Record<string, string> {
    const known = secret === 'own' ? (this.till.account(account)?.secret ?? '') : 'a secret of somebody else';
    const [requestId, timestamp] = [randomUUID(), timestampOf(new Date())];
    const signed = { clientId: account, requestId, timestamp, target: new URL(url).pathname, body };
    return {
      ...{ 'Client-Id': account, 'Request-Id': requestId, 'Request-Timestamp': timestamp },
      Signature: signatureOf(signed, known),
    };
  }

  tampered(body: string): string {
    const facts = jsonObject(Buffer.from(body)) ?? {};
    const [order, transaction] = [recordAt(facts, 'order'), recordAt(facts, 'transaction')];
    return JSON.stringify({
      ...facts,
      order: { ...order, amount: (numberAt(order, 'amount') ?? 0) + 1 },
      transaction: { ...transaction, status: 'SUCCESS' },
    });
  }

  control(verb: string, body: Json): Account | undefined {
    if (verb !== 'accounts') return undefined;
    const account = { client_id: textAt(body, 'client_id') ?? '', secret: textAt(body, 'secret') ?? '' };
    this.till.admit(account.client_id, account);
    return account;
  }

  /** The client of a call. Throws `Refused` unless it signed the call. */
  private client({ headers, path, method, raw }: Call): { clientId: string; requestId: string } {
    const header = (name: string): string => String(headers[name] ?? '');
    const [clientId, requestId] = [header('client-id'), header('request-id')];
    const timestamp = header('request-timestamp');
    const secret = this.till.account(clientId)?.secret;
    if (secret === undefined) throw refusal(401, 'invalid_client_id', 'Invalid Header Client-Id');
    if (requestId === '' || requestId.length > LONGEST_ID)
      throw refusal(400, 'invalid_request_id', 'Invalid Header Request-Id');
    if (!TIMESTAMP.test(timestamp)) throw refusal(400, 'invalid_timestamp', 'Invalid Header Request-Timestamp');
    const body = method === 'GET' ? undefined : raw;
    const expected = signatureOf({ clientId, requestId, timestamp, target: path, body }, secret);
    if (!isSame(header('signature'), expected)) throw refusal(401, 'invalid_signature', 'Invalid Header Signature');
    return { clientId, requestId };
  }

  private create(call: Call): Answer {
    const { clientId, requestId } = this.client(call);
    const key = `${clientId} ${requestId}`;
    const before = this.till.journal.get<unknown>(REQUESTS, key);
    if (before !== undefined) return { status: 409, json: before };
    const asked = jsonObject(call.raw);
    if (!asked) throw refusal(400, 'invalid_parameter', 'The body is not a JSON object');
    const json = this.opened(clientId, requestId, asked);
    return { status: 200, json: this.till.journal.put(REQUESTS, key, json) };
  }

  private opened(clientId: string, requestId: string, asked: Json): Json {
    const [order, payment] = [recordAt(asked, 'order'), recordAt(asked, 'payment')];
    const { invoice, amount } = checkOrder(order);
    if (this.till.ofInvoice(clientId, invoice))
      throw refusal(400, 'duplicate_invoice_number', 'order.invoice_number was used before');
    const minutes = numberAt(payment, 'payment_due_date') ?? 60;
    const expires = new Date(Date.now() + minutes * 60_000);
    const channels = Array.isArray(payment.payment_method_types) ? payment.payment_method_types : [];
    const opened = this.till.open({
      ...{ account: clientId, invoice, amount, currency: 'IDR', channel: String(channels[0] ?? ANY_CHANNEL) },
      ...{ description: `Payment of ${invoice}`, expiresAt: expires.toISOString() },
      noticeUrl: textAt(recordAt(asked, 'additional_info'), 'override_notification_url') ?? this.noticeUrl,
      returnUrl: textAt(order, 'callback_url_result') ?? textAt(order, 'callback_url') ?? null,
      asked: { ...asked, requestId },
    });
    return {
      message: ['SUCCESS'],
      response: {
        order: { ...order, currency: 'IDR', session_id: opened.id },
        payment: {
          payment_method_types: channels,
          payment_due_date: minutes,
          token_id: opened.id,
          url: this.till.pageOf(opened),
          expired_date: digits(new Date(expires.getTime() + 7 * 3_600_000)),
          expired_datetime: timestampOf(expires),
        },
        customer: recordAt(asked, 'customer'),
        additional_info: recordAt(asked, 'additional_info'),
        uuid: randomUUID(),
        headers: { request_id: requestId, date: timestampOf(new Date()), client_id: clientId },
      },
    };
  }

  private status(call: Call, id: string): Answer {
    const { clientId } = this.client(call);
    const ofRequest = this.till.payments().find((each) => each.account === clientId && each.asked.requestId === id);
    const payment = this.till.ofInvoice(clientId, id) ?? ofRequest;
    if (!payment) throw refusal(404, 'data_not_found', 'Data not found');
    return { status: 200, json: this.facts(payment) };
  }

  /** The same in notices and answers to a status call. */
  private facts({ status, invoice, amount, paidAmount, updatedAt, channel, asked }: TillPayment): Json {
    const [service = channel, acquirer = channel] = /^(VIRTUAL_ACCOUNT)_(.+)$/.exec(channel)?.slice(1) ?? [];
    return {
      order: { invoice_number: invoice, amount: paidAmount ?? amount },
      customer: recordAt(asked, 'customer'),
      transaction: {
        type: 'SALE',
        status: STATUSES[status],
        date: timestampOf(new Date(updatedAt)),
        original_request_id: String(asked.requestId),
      },
      service: { id: service },
      acquirer: { id: acquirer },
      channel: { id: channel },
    };
  }
}
