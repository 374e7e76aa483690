import type { SecretBox } from '@platform/auth';
import { bigintNumber, type Database, type Sql } from '@platform/data';
import { UpstreamFailed } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { jobQueue } from '../../../jobs';
import { fateOf, isProviderFailure } from '../../gateways/fates/public';
import type { GatewayClient } from '../../gateways/port';
import { bankPurpose } from './refund';
import { contradict, fail, succeed } from './refund.ends';
import type { RefundBank, RefundMethod } from './refunds.dto';
import { BEGIN, NAMED, UNDONE, WAITS } from './refunds.sql';

/** Of a refund that the provider has taken and not done yet. */
const ASK_AGAIN_SECONDS = 60;
/** Of one that waits because its store is suspended. */
const LOOK_AGAIN_SECONDS = 600;
const ACTOR = 'refund.execute';

const queue = jobQueue();

interface UnderWay {
  readonly order_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly method: RefundMethod;
  readonly reason: string;
  readonly bank_enc: string | null;
  readonly provider_ref: string | null;
  readonly provider: string;
  readonly mode: 'platform' | 'direct';
  readonly payment_ref: string | null;
  /** An earlier request may have reached the provider. */
  readonly asked_before: boolean;
  /** Of the row as this step has left it. */
  readonly mark: string;
}

/** What a provider has made of a refund. */
interface Outcome {
  readonly ref: string;
  readonly state: 'succeeded' | 'pending' | 'failed';
  readonly failure?: string | undefined;
  /** Of one refused at the first word: the refund as it was asked for. */
  readonly mark?: string;
}

/** The account by which a payment of a store came in; of payouts the platform's own. Undefined where it is not there any more. */
export type AccountOf = (
  storeId: string,
  of: { readonly provider: 'b'; readonly mode: 'platform' | 'direct' },
) => Promise<GatewayClient | undefined>;

const paidOut = (state: { ref: string; state: string; failure?: string }): Outcome => ({
  ref: state.ref,
  state: state.state === 'succeeded' ? 'succeeded' : state.state === 'accepted' ? 'pending' : 'failed',
  failure: state.failure,
});

/** Gives money back through providers. */
export class Refunds {
  constructor(
    private readonly parts: {
      readonly database: Pick<Database, 'tx'> & Sql;
      readonly clock: Clock;
      readonly box: SecretBox;
      readonly accountOf: AccountOf;
    },
  ) {}

  /**
   * One step of a refund: it is asked for with its own id as the key, so that a repeat does nothing twice, and what comes of it is written.
   * One that the provider has not done yet is asked for again later. Rejects when nobody knows what became of it: the job tries again.
   */
  async execute(
    { storeId, id }: { readonly storeId: string; readonly id: string },
    signal?: AbortSignal,
  ): Promise<void> {
    const { database, clock } = this.parts;
    const [begun] = await database.query<UnderWay>(BEGIN, [storeId, id, clock.now()]);
    if (!begun) return this.wait(storeId, id);
    const outcome = await this.outcomeOf(storeId, id, begun, signal);
    await database.tx((tx) => this.conclude(tx, { storeId, id, orderId: begun.order_id }, outcome));
  }

  private async conclude(
    tx: Sql,
    { storeId, id, orderId }: { readonly storeId: string; readonly id: string; readonly orderId: string },
    { ref, state, failure = 'The provider has refused it', mark }: Outcome,
  ): Promise<void> {
    const by = { storeId, actor: ACTOR, at: this.parts.clock.now() };
    if (state === 'failed') {
      const hasFailed = await fail(tx, by, orderId, { id, why: failure, mark });
      // Who was not refused may be gone by now: what its provider has is asked about until it ends
      if (!hasFailed && mark !== undefined) await this.later(tx, { storeId, id }, ASK_AGAIN_SECONDS);
      return;
    }
    const wasOpen =
      state === 'succeeded'
        ? await succeed(tx, by, orderId, { id, ref })
        : (await tx.query(NAMED, [storeId, id, ref])).length > 0;
    if (!wasOpen) return contradict(tx, by, id, state);
    if (state === 'pending') await this.later(tx, { storeId, id }, ASK_AGAIN_SECONDS);
  }

  /** The money of a suspended store stays where it is until the store is open again. */
  private async wait(storeId: string, id: string): Promise<void> {
    const { database } = this.parts;
    const waits = (await database.query(WAITS, [storeId, id])).length > 0;
    if (waits) await this.later(database, { storeId, id }, LOOK_AGAIN_SECONDS);
  }

  private async later(
    sql: Sql,
    of: { readonly storeId: string; readonly id: string },
    afterSeconds: number,
  ): Promise<void> {
    await queue.enqueue(sql, 'refund.execute', of, { key: `refund:${of.id}`, afterSeconds });
  }

  private async outcomeOf(storeId: string, id: string, begun: UnderWay, signal?: AbortSignal): Promise<Outcome> {
    try {
      return await this.asked(storeId, id, begun, signal);
    } catch (failure) {
      return this.unheard(storeId, id, begun, failure);
    }
  }

  private async asked(storeId: string, id: string, begun: UnderWay, signal?: AbortSignal): Promise<Outcome> {
    const { method, mode } = begun;
    const of = { provider: 'b', mode: method === 'payout' ? 'platform' : mode } as const;
    const client = await this.parts.accountOf(storeId, of);
    if (!client) throw new UpstreamFailed('There is no account of the provider any more', { outcome: 'undone' });
    return method === 'payout' ? this.payout(client, storeId, id, begun, signal) : refunded(client, id, begun, signal);
  }

  /** Only what was refused at the first word has surely not gone: anything else stays put aside, and is asked again or looked at. */
  private async unheard(
    storeId: string,
    id: string,
    { asked_before, mark }: UnderWay,
    failure: unknown,
  ): Promise<Outcome> {
    if (!isProviderFailure(failure)) throw failure;
    const fate = fateOf(failure, asked_before);
    if (fate === 'failed') return { ref: '', state: 'failed', failure: failure.message, mark };
    if (fate === 'undone') await this.parts.database.query(UNDONE, [storeId, id, mark]);
    throw failure;
  }

  private async payout(
    client: GatewayClient,
    storeId: string,
    id: string,
    { provider_ref, amount, currency, bank_enc, reason }: UnderWay,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    if (!client.payout || !client.payoutStatus)
      return { ref: '', state: 'failed', failure: 'This provider pays nothing out' };
    if (provider_ref !== null) {
      // It has it: whatever it says now, it is not sent twice
      const known = await client.payoutStatus(provider_ref, signal);
      return known ? paidOut(known) : { ref: provider_ref, state: 'pending' };
    }
    const bank = JSON.parse(this.parts.box.open(bank_enc ?? '', bankPurpose(storeId, id))) as RefundBank;
    const { bank_code: bankCode, number, holder } = bank;
    const money = { amount: bigintNumber.from(amount), currency };
    return paidOut(await client.payout({ id, ...money, bankCode, number, holder, description: reason }, signal));
  }
}

const refunded = async (
  client: GatewayClient,
  id: string,
  { amount, currency, reason, payment_ref, provider_ref }: UnderWay,
  signal?: AbortSignal,
): Promise<Outcome> => {
  if (!client.refund || payment_ref === null)
    return { ref: '', state: 'failed', failure: 'This provider gives nothing back' };
  if (provider_ref !== null && client.refundStatus) return client.refundStatus(provider_ref, signal);
  return client.refund({ id, ref: payment_ref, amount: bigintNumber.from(amount), currency, reason }, signal);
};
