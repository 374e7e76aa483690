import { bigintNumber, type Database, type Sql } from '@platform/data';
import type { Failure } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { By } from '../../../by';
import type { GatewayAccounts } from '../accounts/public';
import { isProviderFailure } from '../fates/public';
import type { Checkout, GatewayCode, NewCheckout } from '../port';
import { payToken, type PayPages } from '../../sales/payments/public';
import { nextPoll, plain } from '../polls/public';
import { BILL, CLAIM, OPENED, ORDER, UNANSWERED } from './ask.sql';
import { endUnpaid, lockPaid } from './end';

/** In a request: whoever waits longer gets the order without an address to pay it. */
const PATIENCE_MS = 8_000;
/** Requests that wait for one provider at once: when it hangs, the others get their answers without it. */
const WAITING = 16;

interface Claimed {
  readonly id: string;
  readonly order_id: string | null;
  readonly invoice_id: string | null;
  readonly provider: GatewayCode;
  readonly mode: 'platform' | 'direct';
  readonly request_id: string;
  readonly invoice_number: string;
  readonly amount: string;
  readonly currency: string;
  readonly channels: readonly string[];
  readonly notify_path: NonNullable<NewCheckout['notifyPath']>;
  readonly expires_at: Date;
  readonly polls: number;
}

interface Described {
  readonly id: string;
  /** Of an order. */
  readonly placed_at?: string;
  /** Of a bill. */
  readonly kind?: 'subscription' | 'addon' | 'topup';
  readonly number: string;
  readonly store: string;
  readonly buyer: NewCheckout['buyer'];
  readonly lines: NewCheckout['lines'] | null;
}

export interface AskParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accounts: GatewayAccounts;
  /** Where payers come back to. */
  readonly pages: PayPages;
}

/** The page that shows what became of it; undefined: the shop has none. */
const returnUrlOf = (pages: PayPages, { id, placed_at, kind }: Described): string | undefined => {
  if (pages.publicUrl === undefined) return undefined;
  if (placed_at !== undefined) return `${pages.publicUrl}/pay/${payToken(pages, { id, placed_at })}/finish`;
  return `${pages.publicUrl}${kind === 'topup' ? '/wallet' : `/billing/invoices/${id}`}`;
};

const wasRefused = (failure: unknown): failure is Failure =>
  isProviderFailure(failure) && failure.outcome === 'refused';

/**
 * Asks providers to make payments: one process at a time for one attempt, always under the same request id, and while it waits it holds
 * neither a lock nor a connection. What is not known afterwards is asked again by the watch.
 */
export class Asking {
  private readonly waiting = new Map<GatewayCode, number>();

  constructor(private readonly parts: AskParts) {}

  /**
   * Asks for a while, from a request. Resolves whatever happens: the attempt says what came of it. False: it was not asked, because
   * somebody else does so, or has.
   */
  async ask(storeId: string, paymentId: string): Promise<boolean> {
    const { logger } = this.parts;
    try {
      return await this.make(storeId, paymentId, AbortSignal.timeout(PATIENCE_MS), true);
    } catch (cause) {
      logger.warn('a payment was not made at its provider yet', { storeId, payment: paymentId, cause });
      return true;
    }
  }

  /** The same from a job: as long as the provider's own limit says. Throws only what is our own failure. */
  async make(storeId: string, paymentId: string, signal: AbortSignal, inRequest = false): Promise<boolean> {
    const { database, clock } = this.parts;
    const by = { storeId, actor: 'payment', at: clock.now() };
    const [row] = await database.prepared<Claimed>('payment claim', CLAIM, [storeId, paymentId, by.at]);
    if (!row) return false;
    const { provider } = row;
    const count = this.waiting.get(provider) ?? 0;
    if (inRequest && count >= WAITING) {
      await this.unanswered(by, row);
      return true;
    }
    this.waiting.set(provider, count + 1);
    try {
      await this.call({ ...by, actor: `provider:${provider}` }, row, signal);
      return true;
    } finally {
      this.waiting.set(provider, (this.waiting.get(provider) ?? 1) - 1);
    }
  }

  private async call(by: By, row: Claimed, signal: AbortSignal): Promise<void> {
    const { accounts, logger } = this.parts;
    const client = await accounts.clientOf(by.storeId, row.provider, row.mode);
    if (!client) return this.refused(by, row, 'There is no account with the provider any more');
    const asked = await this.asked(by, row);
    try {
      const answer = await client.create(asked, signal);
      await this.opened(this.now(by), row, answer);
    } catch (failure) {
      if (!wasRefused(failure)) {
        logger.warn('a provider did not make a payment', { storeId: by.storeId, payment: row.id, cause: failure });
        return this.unanswered(this.now(by), row);
      }
      return this.refused(this.now(by), row, 'The provider refused it');
    }
  }

  private now(by: By): By {
    return { ...by, at: this.parts.clock.now() };
  }

  private async asked({ storeId }: By, row: Claimed): Promise<NewCheckout> {
    const { database, pages } = this.parts;
    const [name, statement, id] =
      row.order_id === null ? ['bill to pay', BILL, row.invoice_id] : ['order to pay', ORDER, row.order_id];
    const [found] = await database.prepared<Described>(name, statement, [storeId, id]);
    const { buyer, lines, number, store } = found as Described;
    const returnUrl = returnUrlOf(pages, found as Described);
    return {
      ...{ requestId: row.request_id, invoiceNumber: row.invoice_number, amount: bigintNumber.from(row.amount) },
      ...{ currency: row.currency, description: `${number} ${store}`, buyer, lines: lines ?? [] },
      ...{ expiresAt: row.expires_at, channels: row.channels, notifyPath: row.notify_path },
      ...(returnUrl === undefined ? {} : { returnUrl }),
    };
  }

  private async opened(by: By, row: Claimed, { url, ref, expiresAt }: Checkout): Promise<void> {
    const { storeId, at, actor } = by;
    await this.parts.database.tx(async (tx) => {
      await lockPaid(tx, storeId, row);
      const values = [plain(url, 2048), ref === null ? null : plain(ref), expiresAt, at, nextPoll(at, 0), actor];
      await tx.later('payment opened', OPENED, [storeId, row.id, ...values]);
    });
  }

  private async refused(by: By, row: Claimed, text: string): Promise<void> {
    await this.parts.database.tx((tx) => endUnpaid(tx, by, row, { status: 'failed', text, pollAt: null }));
  }

  private async unanswered({ storeId, at }: By, { id, polls }: Claimed): Promise<void> {
    await this.parts.database.query(UNANSWERED, [storeId, id, at, nextPoll(at, polls)]);
  }
}
