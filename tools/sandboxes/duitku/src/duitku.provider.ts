import { randomBytes } from 'node:crypto';
import {
  jsonObject,
  numberAt,
  Refused,
  textAt,
  type Account,
  type Answer,
  type Call,
  type Json,
  type NoticeText,
  type Provider,
  type Till,
  type TillPayment,
} from '@platform/sandbox-till';
import { callbackSignature, createSignature, statusSignature } from './signature';

/** Old requests are refused, as Duitku does. */
const OLDEST_MS = 5 * 60_000;
const LEAST_AMOUNT = 10_000;
const LONGEST_ORDER = 50;
const USUAL_MINUTES = 1_440;
const CODES = {
  paid: ['00', 'SUCCESS'],
  pending: ['01', 'PROCESS'],
  failed: ['01', 'PROCESS'],
  expired: ['02', 'CANCELED'],
} as const;

const refusal = (status: number, Message: string): Refused => new Refused({ status, json: { Message } });

const bodyOf = ({ raw }: Call): Json => {
  const body = jsonObject(raw);
  if (!body) throw refusal(400, 'Bad request');
  return body;
};

/** Duitku: invoices and their status. */
export class DuitkuProvider implements Provider {
  readonly name = 'Duitku';
  /** Its documentation names no times: five more tries. */
  readonly ladder = [1, 5, 15, 60, 360];

  constructor(private readonly till: Till) {}

  serve(call: Call): Answer | undefined {
    if (call.method !== 'POST') return undefined;
    if (call.path === '/api/merchant/createInvoice') return this.create(call);
    return call.path === '/api/merchant/transactionStatus' ? this.status(call) : undefined;
  }

  /** Nothing when it expires. */
  notice(payment: TillPayment): NoticeText | undefined {
    if (payment.status !== 'paid' && payment.status !== 'failed') return undefined;
    const amount = String(payment.paidAmount ?? payment.amount);
    const key = this.till.account(payment.account)?.key ?? '';
    const body = new URLSearchParams({
      ...{ merchantCode: payment.account, amount, merchantOrderId: payment.invoice },
      ...{ productDetail: payment.description, additionalParam: '', paymentCode: payment.channel },
      ...{ resultCode: payment.status === 'paid' ? '00' : '01', merchantUserId: '', reference: payment.id },
      signature: callbackSignature(payment.account, amount, payment.invoice, key),
      ...{ publisherOrderId: `MGUHW${payment.id}`, spUserHash: '', settlementDate: payment.updatedAt.slice(0, 10) },
      issuerCode: '93600014',
    });
    return { type: 'application/x-www-form-urlencoded', body: String(body) };
  }

  /** Everything is in the body, whose signature stays as it is. */
  sign(): Record<string, string> {
    return {};
  }

  forged(body: string): string {
    const notice = new URLSearchParams(body);
    notice.set('signature', createSignature(body, '', 'a key of somebody else').slice(0, 32));
    return String(notice);
  }

  /** The signature stays good: it does not cover the result. */
  tampered(body: string): string {
    const notice = new URLSearchParams(body);
    notice.set('resultCode', '00');
    return String(notice);
  }

  control(verb: string, body: Json): Account | undefined {
    if (verb !== 'accounts') return undefined;
    const account = { merchant: textAt(body, 'merchant') ?? '', key: textAt(body, 'key') ?? '' };
    this.till.admit(account.merchant, account);
    return account;
  }

  private keyOf(merchant: string): string {
    const key = this.till.account(merchant)?.key;
    if (key === undefined) throw refusal(404, 'Merchant not found');
    return key;
  }

  private create(call: Call): Answer {
    const header = (name: string): string => String(call.headers[name] ?? '');
    const [merchant, timestamp] = [header('x-duitku-merchantcode'), header('x-duitku-timestamp')];
    const expected = createSignature(merchant, timestamp, this.keyOf(merchant));
    const isOld = !(Math.abs(Date.now() - Number(timestamp)) < OLDEST_MS);
    if (isOld || header('x-duitku-signature') !== expected) throw refusal(401, 'Wrong signature');
    const asked = bodyOf(call);
    const [invoice, amount] = [textAt(asked, 'merchantOrderId'), numberAt(asked, 'paymentAmount')];
    if (!invoice || invoice.length > LONGEST_ORDER) throw refusal(400, 'merchantOrderId is 1 to 50 long');
    if (amount === undefined || !Number.isInteger(amount) || amount < LEAST_AMOUNT)
      throw refusal(400, 'Minimum Payment 10000 IDR');
    const before = this.till.ofInvoice(merchant, invoice);
    if (before?.status === 'paid') throw refusal(409, `Bill already paid. (${invoice})`);
    return this.opened(before?.amount === amount ? before : this.open(asked, { merchant, invoice, amount }));
  }

  private open(asked: Json, { merchant, invoice, amount }: { merchant: string; invoice: string; amount: number }) {
    const minutes = numberAt(asked, 'expiryPeriod') ?? USUAL_MINUTES;
    return this.till.open({
      ...{ id: `DS${randomBytes(10).toString('hex').toUpperCase()}`, account: merchant, invoice, amount, asked },
      ...{ currency: 'IDR', description: textAt(asked, 'productDetails') ?? '' },
      ...{ channel: textAt(asked, 'paymentMethod') ?? 'VC', returnUrl: textAt(asked, 'returnUrl') ?? null },
      ...{ noticeUrl: textAt(asked, 'callbackUrl') ?? null },
      expiresAt: new Date(Date.now() + minutes * 60_000).toISOString(),
    });
  }

  private opened(payment: TillPayment): Answer {
    return {
      status: 200,
      json: {
        ...{ merchantCode: payment.account, reference: payment.id, paymentUrl: this.till.pageOf(payment) },
        ...{ amount: String(payment.amount), statusCode: '00', statusMessage: 'SUCCESS' },
      },
    };
  }

  private status(call: Call): Answer {
    const asked = bodyOf(call);
    const [merchant, order] = [textAt(asked, 'merchantCode') ?? '', textAt(asked, 'merchantOrderId') ?? ''];
    if (textAt(asked, 'signature') !== statusSignature(merchant, order, this.keyOf(merchant)))
      throw refusal(401, 'Wrong signature');
    const payment = this.till.ofInvoice(merchant, order);
    if (!payment) throw refusal(404, 'Transaction not found');
    const [statusCode, statusMessage] = CODES[payment.status];
    return {
      status: 200,
      json: {
        ...{ merchantOrderId: order, reference: payment.id, amount: String(payment.paidAmount ?? payment.amount) },
        ...{ fee: '0.00', statusCode, statusMessage },
      },
    };
  }
}
