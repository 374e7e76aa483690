import { createHash, randomBytes } from 'node:crypto';
import {
  jsonObject,
  numberAt,
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
import { invoiceAnswer, invoiceNotice } from './xendit.answers';
import { XenditPayouts } from './xendit.payouts';
import { bodyOf, refusal } from './xendit.refusal';

const REFUNDS = 'refunds';
const DAY_SECONDS = 86_400;
const REASONS = ['REQUESTED_BY_CUSTOMER', 'CANCELLATION', 'DUPLICATE', 'FRAUDULENT', 'OTHERS'];

interface RefundRow {
  readonly account: string;
  readonly invoice: string;
  readonly idempotencyKey: string;
  readonly answer: Json;
}

/** Keys stay out of the rows: an account is named by what its key hashes to. */
export const accountId = (key: string): string => createHash('sha256').update(key).digest('hex').slice(0, 24);

/** Xendit: invoices, payouts, refunds. */
export class XenditProvider implements Provider {
  readonly name = 'Xendit';
  /** 15 minutes, 1, 3, 6, 12 and 24 hours. */
  readonly ladder = [15, 60, 180, 360, 720, 1_440];
  private readonly payouts: XenditPayouts;

  constructor(
    private readonly till: Till,
    private readonly noticeUrl: string | null,
  ) {
    this.payouts = new XenditPayouts(till, noticeUrl);
  }

  serve(call: Call): Answer | undefined {
    const account = this.merchant(call);
    return this.invoices(call, account) ?? this.payouts.serve(call, account) ?? this.refunds(call, account);
  }

  notice(payment: TillPayment): NoticeText | undefined {
    if (payment.status === 'failed') return undefined;
    return { type: 'application/json', body: JSON.stringify(invoiceNotice(payment)) };
  }

  sign({ account }: NoticeRow, secret: 'own' | 'foreign'): Record<string, string> {
    const token = secret === 'own' ? (this.till.account(account)?.callback_token ?? '') : 'a token of somebody else';
    return { 'x-callback-token': token };
  }

  /** With the right token: nothing of the body is signed. */
  tampered(body: string): string {
    const notice = jsonObject(Buffer.from(body)) ?? {};
    return JSON.stringify({ ...notice, status: 'PAID', paid_amount: notice.amount, paid_at: notice.updated });
  }

  control(verb: string, body: Json): Json | Account | undefined {
    if (verb === 'payout') return this.payouts.control(body);
    if (verb !== 'accounts') return undefined;
    const account = { key: textAt(body, 'key') ?? '', callback_token: textAt(body, 'callback_token') ?? '' };
    this.till.admit(accountId(account.key), account);
    return account;
  }

  private merchant({ headers }: Call): string {
    const [, encoded = ''] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? [];
    const [key = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
    const id = accountId(key);
    if (key === '' || !this.till.account(id))
      throw refusal(401, 'INVALID_API_KEY', 'API key format is invalid, or not one of this environment');
    return id;
  }

  private invoices(call: Call, account: string): Answer | undefined {
    const { method, path } = call;
    if (/^\/v2\/invoices\/?$/.test(path))
      return method === 'POST' ? this.create(call, account) : this.list(call, account);
    const [, read] = /^\/v2\/invoices\/([^/]+)$/.exec(path) ?? [];
    if (method === 'GET' && read !== undefined) return this.shown(this.invoice(account, read));
    const [, ended] = /^\/invoices\/([^/]+)\/expire!$/.exec(path) ?? [];
    if (method !== 'POST' || ended === undefined) return undefined;
    const payment = this.invoice(account, ended);
    if (payment.status === 'paid')
      throw refusal(400, 'INVALID_INVOICE_STATUS_ERROR', 'The invoice is paid and cannot expire');
    return this.shown(payment.status === 'expired' ? payment : this.till.expire(payment));
  }

  private invoice(account: string, id: string): TillPayment {
    const payment = this.till.payment(decodeURIComponent(id));
    if (payment?.account !== account) throw refusal(404, 'INVOICE_NOT_FOUND_ERROR', 'Could not find invoice by id');
    return payment;
  }

  private shown(payment: TillPayment): Answer {
    return { status: 200, json: invoiceAnswer(payment, this.till.pageOf(payment)) };
  }

  private create(call: Call, account: string): Answer {
    const asked = bodyOf(call);
    const [invoice, amount] = [textAt(asked, 'external_id'), numberAt(asked, 'amount')];
    if (!invoice || amount === undefined || amount <= 0)
      throw refusal(400, 'API_VALIDATION_ERROR', 'external_id and an amount above 0 are required');
    const seconds = numberAt(asked, 'invoice_duration') ?? DAY_SECONDS;
    const payment = this.till.open({
      ...{ id: randomBytes(12).toString('hex'), account, invoice, amount, asked, noticeUrl: this.noticeUrl },
      ...{ currency: textAt(asked, 'currency') ?? 'IDR', description: textAt(asked, 'description') ?? '' },
      channel: Array.isArray(asked.payment_methods) ? String(asked.payment_methods[0] ?? 'BCA') : 'BCA',
      expiresAt: new Date(Date.now() + seconds * 1_000).toISOString(),
      returnUrl: textAt(asked, 'success_redirect_url') ?? null,
    });
    return this.shown(payment);
  }

  private list({ query }: Call, account: string): Answer {
    const wanted = query.get('external_id');
    const found = this.till.payments().filter((each) => each.account === account && each.invoice === wanted);
    return { status: 200, json: found.map((each) => invoiceAnswer(each, this.till.pageOf(each))).reverse() };
  }

  private refunds(call: Call, account: string): Answer | undefined {
    const [, id] = /^\/refunds\/([^/]+)$/.exec(call.path) ?? [];
    if (call.method === 'GET' && id !== undefined) return this.refund(account, id);
    if (call.method !== 'POST' || call.path !== '/refunds') return undefined;
    const asked = bodyOf(call);
    const idempotencyKey = String(call.headers['idempotency-key'] ?? '');
    const kept = this.till.journal.all<RefundRow>(REFUNDS).filter((each) => each.account === account);
    const before = kept.find((each) => idempotencyKey !== '' && each.idempotencyKey === idempotencyKey);
    if (before) return { status: 200, json: before.answer };
    const payment = this.invoice(account, textAt(asked, 'invoice_id') ?? '');
    const back = kept
      .filter((each) => each.invoice === payment.id)
      .map(({ answer }) => numberAt(answer, 'amount') ?? 0);
    const left = payment.status === 'paid' ? (payment.paidAmount ?? 0) - back.reduce((sum, each) => sum + each, 0) : 0;
    const answer = refundAnswer(asked, payment, left);
    const row: RefundRow = { account, invoice: payment.id, idempotencyKey, answer };
    return { status: 200, json: this.till.journal.put(REFUNDS, String(answer.id), row).answer };
  }

  private refund(account: string, id: string): Answer {
    const row = this.till.journal.get<RefundRow>(REFUNDS, decodeURIComponent(id));
    if (row?.account !== account) throw refusal(404, 'DATA_NOT_FOUND', 'The refund was not found');
    return { status: 200, json: row.answer };
  }
}

const refundAnswer = (asked: Json, payment: TillPayment, left: number): Json => {
  const amount = numberAt(asked, 'amount') ?? left;
  if (amount <= 0 || amount > left)
    throw refusal(400, 'MAXIMUM_REFUND_AMOUNT_REACHED', 'The amount is above what can be refunded');
  if (!REASONS.includes(String(asked.reason)))
    throw refusal(400, 'API_VALIDATION_ERROR', `reason is one of ${REASONS.join(', ')}`);
  const at = new Date().toISOString();
  return {
    ...{ id: `rfd-${randomBytes(12).toString('hex')}`, payment_id: payment.id, invoice_id: payment.id, amount },
    ...{ payment_method_type: 'VIRTUAL_ACCOUNT', channel_code: payment.channel, currency: payment.currency },
    ...{ status: 'SUCCEEDED', reason: asked.reason, reference_id: textAt(asked, 'reference_id') ?? null },
    ...{ failure_code: null, refund_fee_amount: null, created: at, updated: at, metadata: asked.metadata ?? null },
    country: 'ID',
  };
};
