import { randomBytes } from 'node:crypto';
import type { Journal } from './journal';
import type { NoticeSender } from './notice.sender';
import { ControlError, type NoticeRow, type PaymentStatus, type Provider, type TillPayment } from './till.types';

/** The credentials of one merchant, by the provider's names. */
export type Account = Readonly<Record<string, string>>;

type Opened = Omit<TillPayment, 'id' | 'status' | 'paidAmount' | 'createdAt' | 'updatedAt'> & {
  readonly id?: string;
};

export interface Act {
  /** In major units; all of it without. */
  readonly amount?: number | undefined;
  readonly channel?: string | undefined;
}

const PAYMENTS = 'payments';
const ACCOUNTS = 'accounts';

/** The payments of one provider, and what merchants are told of them. */
export class Till {
  constructor(
    readonly journal: Journal,
    /** Of its pages. */
    readonly origin: () => string,
    private readonly parts: () => { sender: NoticeSender; provider: Provider },
  ) {}

  get sender(): NoticeSender {
    return this.parts().sender;
  }

  account(id: string): Account | undefined {
    return this.journal.get(ACCOUNTS, id);
  }

  admit(id: string, account: Account): void {
    if (JSON.stringify(this.account(id)) !== JSON.stringify(account)) this.journal.put(ACCOUNTS, id, account);
  }

  accounts(): Account[] {
    return this.journal.all(ACCOUNTS);
  }

  open(opened: Opened): TillPayment {
    const at = new Date().toISOString();
    const id = opened.id ?? randomBytes(16).toString('hex');
    const fresh = { status: 'pending', paidAmount: null, createdAt: at, updatedAt: at } as const;
    return this.journal.put<TillPayment>(PAYMENTS, id, { ...opened, ...fresh, id });
  }

  pageOf({ id }: TillPayment): string {
    return `${this.origin()}/pay/${id}`;
  }

  payments(): TillPayment[] {
    return this.journal.all(PAYMENTS);
  }

  payment(id: string): TillPayment | undefined {
    return this.journal.get(PAYMENTS, id);
  }

  /** The newest of that number. */
  ofInvoice(account: string, invoice: string): TillPayment | undefined {
    return this.payments().findLast((each) => each.account === account && each.invoice === invoice);
  }

  /** The one that a control route names by `id` or `invoice`. */
  named({ id, invoice }: { id?: unknown; invoice?: unknown }): TillPayment {
    const found = this.payments().findLast((each) => each.id === id || (id === undefined && each.invoice === invoice));
    if (!found) throw new ControlError('name a payment by id or invoice; GET /__sandbox/payments lists them');
    return found;
  }

  /** It is paid, whatever it was before, unless that is so already. */
  pay(payment: TillPayment, { amount = payment.amount, channel = payment.channel }: Act = {}): TillPayment {
    if (payment.status === 'paid') throw new ControlError('it is paid already');
    return this.become(payment, 'paid', { paidAmount: amount, channel });
  }

  fail(payment: TillPayment): TillPayment {
    return this.end(payment, 'failed');
  }

  expire(payment: TillPayment): TillPayment {
    return this.end(payment, 'expired');
  }

  /** Ends what nobody paid in time. */
  expireDue(): void {
    const now = new Date().toISOString();
    for (const each of this.payments())
      if ((each.status === 'pending' || each.status === 'failed') && each.expiresAt < now) this.expire(each);
  }

  /** Tells the merchant how it stands; undefined: the provider sends nothing, or has no address. */
  tell(payment: TillPayment, damage?: NoticeRow['damage']): NoticeRow | undefined {
    const { sender, provider } = this.parts();
    const text = provider.notice(payment);
    if (!text || payment.noticeUrl === null) return undefined;
    const notice = { ...text, about: payment.id, account: payment.account, url: payment.noticeUrl };
    return sender.send(damage ? { ...notice, damage } : notice);
  }

  private end(payment: TillPayment, status: 'failed' | 'expired'): TillPayment {
    if (payment.status !== 'pending' && payment.status !== 'failed') throw new ControlError(`it is ${payment.status}`);
    return this.become(payment, status, {});
  }

  private become(payment: TillPayment, status: PaymentStatus, change: Partial<TillPayment>): TillPayment {
    const updatedAt = new Date().toISOString();
    const now = this.journal.put<TillPayment>(PAYMENTS, payment.id, { ...payment, ...change, status, updatedAt });
    this.tell(now);
    return now;
  }
}
