import type { Database, Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { By } from '../../../by';
import type { AttemptState } from '../../sales/payments/public';
import type { GatewayAccounts } from '../accounts/public';
import { endUnpaid, type Asking } from '../asking/public';
import type { Fact, GatewayClient, GatewayCode } from '../port';
import { applyFact, type Applied, type KnownPayment } from './apply';
import { nextPoll } from '../polls/public';
import { LOOK, SCHEDULE, TAKE } from './watch.sql';

/** After its time a provider tells of money late; and one that says nothing for a day has none. */
const GRACE_MS = 10 * 60_000;
const SILENT_MS = 86_400_000;
/** For one question, from a job. */
const PATIENCE_MS = 20_000;

interface Watched extends KnownPayment {
  readonly provider: GatewayCode;
  readonly mode: 'platform' | 'direct';
  readonly status: AttemptState;
  readonly invoice_number: string;
  readonly provider_ref: string | null;
  readonly expires_at: Date;
  readonly polls: number;
  readonly poll_at: Date | null;
  readonly held_until: Date | null;
  /** What it pays is paid, or nobody's any more. */
  readonly unwanted: boolean;
}

export interface WatchParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accounts: GatewayAccounts;
  readonly asking: Asking;
}

/** When it is over: its own time, or as long as its goods are held where that is longer, and a while in which money may be late. */
const endOf = ({ expires_at, held_until }: Watched): number => {
  const own = expires_at.getTime() + GRACE_MS;
  return Math.min(Math.max(own, held_until?.getTime() ?? 0), expires_at.getTime() + SILENT_MS);
};

/** Sees to it that every payment at a provider comes to an end, whatever notices come, fail to come, or come twice. */
export class Watch {
  constructor(private readonly parts: WatchParts) {}

  /** Finds those that are due and gives each a job of its own; any number of processes may do it at once. */
  async reconcile(): Promise<void> {
    const { database, clock } = this.parts;
    await database.query(TAKE, [clock.now()]);
  }

  /** One of them, in its own job; resolves to what became of it, `pending` where nobody could tell. Throws only what is our own failure. */
  async look(storeId: string, paymentId: string, given?: AbortSignal): Promise<Applied> {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    const signal = given ? AbortSignal.any([given, limit]) : limit;
    const row = await this.read(storeId, paymentId);
    if (row.status === 'paid' || row.status === 'reversed') return this.rest(row);
    if (row.status === 'created' && !row.unwanted && !this.isOver(row)) {
      await this.parts.asking.make(storeId, paymentId, signal);
      return 'pending';
    }
    const fact = await this.quietly(row, (client) => this.ask(client, row, signal));
    return fact === undefined ? this.later(row) : this.apply(row, fact);
  }

  /** The same for somebody who waits for the answer. Throws `NotFound`, and what the client throws where the provider does not tell. */
  async check(storeId: string, paymentId: string, signal?: AbortSignal): Promise<Applied> {
    const row = await this.read(storeId, paymentId);
    const client = await this.client(row);
    if (!client) return 'pending';
    return this.apply(row, await client.status(row.invoice_number, row.provider_ref, signal));
  }

  private async read(storeId: string, paymentId: string): Promise<Watched> {
    const [row] = await this.parts.database.query<Watched>(LOOK, [storeId, paymentId]);
    if (row) return row;
    throw new NotFound('Payment not found');
  }

  private client(row: Watched): Promise<GatewayClient | undefined> {
    return this.parts.accounts.clientOf(row.store_id, row.provider, row.mode);
  }

  private isOver(row: Watched): boolean {
    return this.parts.clock.now().getTime() >= endOf(row);
  }

  /** What nobody is to pay any more is ended at the provider first, where that can be done; what was paid all the same it still tells. */
  private async ask(client: GatewayClient, row: Watched, signal: AbortSignal): Promise<Fact | null> {
    if (row.unwanted && client.expire && row.provider_ref !== null) await client.expire(row.provider_ref, signal);
    return client.status(row.invoice_number, row.provider_ref, signal);
  }

  /** Undefined: it could not be asked. */
  private async quietly<T>(row: Watched, question: (client: GatewayClient) => Promise<T>): Promise<T | undefined> {
    const client = await this.client(row);
    if (!client) return undefined;
    try {
      return await question(client);
    } catch (cause) {
      const { logger } = this.parts;
      logger.warn('a provider did not say how a payment stands', { storeId: row.store_id, payment: row.id, cause });
      return undefined;
    }
  }

  private by(row: Watched): By {
    return { storeId: row.store_id, actor: `provider:${row.provider}`, at: this.parts.clock.now() };
  }

  private async apply(row: Watched, fact: Fact | null): Promise<Applied> {
    if (fact === null || fact.state === 'pending') return this.unpaid(row, fact === null);
    const applied = await this.parts.database.tx((tx) => applyFact(tx, this.by(row), row, { fact }));
    if (applied === 'failed') return this.later(row, applied);
    // What a person must look at, the provider need not be asked again
    return applied === 'review' ? this.rest(row, applied) : applied;
  }

  /** Nobody has paid it so far. What nobody is to pay, but can where it cannot be ended, is watched like the others. */
  private async unpaid(row: Watched, isUnknown: boolean): Promise<Applied> {
    const isEnded = row.unwanted && (isUnknown || (await this.client(row))?.expire !== undefined);
    if (isEnded) return this.end(row, 'cancelled', 'Nothing is to be paid any more');
    return this.isOver(row) ? this.end(row, 'expired', 'Nobody has paid in time') : this.later(row);
  }

  /** Somebody must look again, at the latest when it is over; a day after that nobody does. */
  private async later(row: Watched, applied: Applied = 'pending'): Promise<Applied> {
    const now = this.parts.clock.now();
    const end = endOf(row);
    if (now.getTime() >= row.expires_at.getTime() + SILENT_MS)
      return this.end(row, 'expired', 'The provider says nothing');
    const next = nextPoll(now, row.polls);
    const at = now.getTime() < end ? new Date(Math.min(next.getTime(), end)) : next;
    await this.parts.database.query(SCHEDULE, [row.store_id, row.id, at]);
    return applied;
  }

  private async rest(row: Watched, applied: Applied = 'already'): Promise<Applied> {
    if (row.poll_at !== null) await this.parts.database.query(SCHEDULE, [row.store_id, row.id, null]);
    return applied;
  }

  private async end(row: Watched, status: 'expired' | 'cancelled', text: string): Promise<Applied> {
    const by = this.by(row);
    await this.parts.database.tx((tx) => endUnpaid(tx, by, row, { status, text, pollAt: null }));
    await this.rest(row);
    return 'expired';
  }
}
