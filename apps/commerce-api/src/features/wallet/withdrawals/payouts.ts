import type { SecretBox } from '@platform/auth';
import { bigintNumber, type Database, type Sql } from '@platform/data';
import { UpstreamFailed } from '@platform/errors';
import type { JobContext } from '@platform/jobs';
import type { Clock, Logger } from '@platform/runtime';
import type { CommerceJobs, Queue } from '../../../jobs';
import { mayLeave } from '../../../may-send';
import { nowOf } from '../../../moment';
import { fateOf, isProviderFailure, type ProviderFailure } from '../../gateways/fates/public';
import type { GatewayClient, Payout, PayoutState } from '../../gateways/port';
import type { BankCode } from '../../paying/accounts/public';
import { settlePayout } from './settle-payout';
import { withdrawalPurpose } from './withdrawals.service';

/** Who pays out; a provider that cannot is none. */
export type PayoutClient = Required<Pick<GatewayClient, 'payout' | 'payoutStatus'>>;

/** Minutes until a payout is looked at again, by how often it was. */
const PAUSES = [1, 2, 5, 10, 20, 30];
/** The provider answers within this time, or is asked again. */
const CALL_MS = 20_000;
/** How many of a store come before those of the next. */
const PORTION = 10;
const ROUND = 500;

const MAY_LEAVE = mayLeave('w.store_id', 'w.asked');

/**
 * Takes an approved withdrawal into work: from here on only the provider's word ends it, or an operator's. $1 store, $2 id, $3 now,
 * $4 minutes by try.
 */
const BEGIN = `
  WITH known AS (
    SELECT w.id, w.asked FROM withdrawal w
    WHERE w.store_id = $1 AND w.id = $2 AND w.status IN ('approved', 'processing') AND ${MAY_LEAVE} FOR UPDATE
  )
  UPDATE withdrawal w SET status = 'processing', asked = true, tries = w.tries + 1, updated_at = $3,
    next_try_at = ${nowOf('$3')} + make_interval(mins => ($4::int[])[least(w.tries + 1, cardinality($4::int[]))])
  FROM known WHERE w.store_id = $1 AND w.id = known.id
  RETURNING w.id, w.amount, w.currency, w.bank_code, w.number_enc, w.holder, w.provider_ref, w.tries,
    known.asked AS asked_before`;
/** The provider has not got it, unless somebody else has asked meanwhile: the next refusal is the whole truth again. $3 try. */
const UNDONE =
  'UPDATE withdrawal SET asked = false WHERE store_id = $1 AND id = $2 AND provider_ref IS NULL AND tries = $3';
/** Nobody else has asked meanwhile, nor has its provider said that it has it: locks it, so that nobody does. $3 try. */
const ALONE =
  'SELECT 1 FROM withdrawal WHERE store_id = $1 AND id = $2 AND provider_ref IS NULL AND tries = $3 FOR UPDATE';
const ALERT = 'UPDATE withdrawal SET alert = $3 WHERE store_id = $1 AND id = $2';

/** Those of all stores that nobody has looked at in time, who waits longest first, so that no store is passed over for ever: $1 now. */
export const DUE = `
  SELECT due.store_id, due.id FROM store s CROSS JOIN LATERAL (
    SELECT w.store_id, w.id, w.next_try_at FROM withdrawal w
    WHERE w.store_id = s.store_id AND w.status IN ('approved', 'processing') AND w.next_try_at <= ${nowOf('$1')} AND ${MAY_LEAVE}
    ORDER BY w.next_try_at LIMIT ${PORTION}) due
  ORDER BY due.next_try_at LIMIT ${ROUND}`;

interface Due {
  readonly id: string;
  readonly amount: string;
  readonly currency: string;
  readonly bank_code: BankCode;
  readonly number_enc: string;
  readonly holder: string;
  readonly provider_ref: string | null;
  readonly tries: number;
  /** An earlier request may have reached the provider. */
  readonly asked_before: boolean;
}

/** The client of an account that can pay out; undefined for one that cannot. */
export const payoutClientOf = (client: GatewayClient | undefined): PayoutClient | undefined => {
  if (!client?.payout || !client.payoutStatus) return undefined;
  return { payout: client.payout.bind(client), payoutStatus: client.payoutStatus.bind(client) };
};

export interface PayoutParts {
  readonly database: Database;
  readonly box: SecretBox;
  readonly queue: Queue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly client: PayoutClient | undefined;
}

type Task = CommerceJobs['withdrawal.payout'];

/**
 * Has withdrawals paid out. The provider is called between transactions, always under the id of the withdrawal: what it took and we did
 * not hear of is the same payout when it is asked again.
 */
export class Payouts {
  constructor(private readonly parts: PayoutParts) {}

  /** The job: one step of one withdrawal. What is not decided yet comes again with `poll`. */
  async step({ storeId, id }: Task, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
    const { database, clock } = this.parts;
    const [begun] = await database.query<Due>(BEGIN, [storeId, id, clock.now(), PAUSES]);
    if (!begun) return;
    const state = await this.ask(storeId, begun, AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]));
    if (state) await database.tx((tx) => settlePayout(tx, clock.now(), { ...state, referenceId: id }));
  }

  /** Every minute: those whose time has come get their next step. */
  async poll(): Promise<void> {
    const { database, clock, queue } = this.parts;
    for (const { store_id: storeId, id } of await database.query<{ store_id: string; id: string }>(DUE, [clock.now()]))
      await queue.enqueue(database, 'withdrawal.payout', { storeId, id }, { key: `payout:${id}` });
  }

  /** Undefined: nobody knows yet. */
  private async ask(storeId: string, begun: Due, signal: AbortSignal): Promise<PayoutState | undefined> {
    const { client } = this.parts;
    if (!client) return this.unheard(storeId, begun, new UpstreamFailed('no provider is set', { outcome: 'undone' }));
    try {
      if (begun.provider_ref === null) return await client.payout(this.payoutOf(storeId, begun), signal);
      return (await client.payoutStatus(begun.provider_ref, signal)) ?? undefined;
    } catch (failure) {
      if (isProviderFailure(failure)) return this.unheard(storeId, begun, failure);
      throw failure;
    }
  }

  /** Only what was refused at the first word has surely not been paid: anything else stays, and is asked again or looked at. */
  private async unheard(storeId: string, begun: Due, failure: ProviderFailure): Promise<PayoutState | undefined> {
    const { database, logger } = this.parts;
    const { id, tries, provider_ref: ref, asked_before: maybeSent } = begun;
    const { outcome, code = 'refused' } = failure;
    logger.warn('a payout was not taken', { storeId, withdrawal: id, outcome, cause: failure.message });
    if (ref !== null) return undefined;
    const fate = fateOf(failure, maybeSent);
    if (fate === 'failed') await this.giveBack(storeId, begun, code);
    if (fate === 'undone') await database.query(UNDONE, [storeId, id, tries]);
    if (fate !== 'contradicted') return undefined;
    await database.query(ALERT, [storeId, id, 'The provider refuses what it may have taken before']);
    return undefined;
  }

  /** Of two who asked, one may hear its refusal when the other was not refused: then it is no last word, and the money stays. */
  private giveBack(storeId: string, { id, tries }: Due, failure: string): Promise<void> {
    const { database, clock } = this.parts;
    return database.tx(async (tx) => {
      if ((await tx.query(ALONE, [storeId, id, tries])).length === 0) return;
      await settlePayout(tx, clock.now(), { ref: '', state: 'failed', failure, referenceId: id });
    });
  }

  private payoutOf(storeId: string, { id, amount, currency, bank_code, number_enc, holder }: Due): Payout {
    const number = this.parts.box.open(number_enc, withdrawalPurpose(storeId, id));
    const description = `Withdrawal ${id}`;
    return { id, amount: bigintNumber.from(amount), currency, bankCode: bank_code, number, holder, description };
  }
}

/** Open for so long, a payout is somebody's to look at. */
const LONG_OPEN = '2 hours';
const OVERDUE = `
  SELECT w.id FROM withdrawal w WHERE w.store_id = $1 AND (w.alert IS NOT NULL
    OR w.status IN ('approved', 'processing') AND w.approved_at < $2::timestamptz - interval '${LONG_OPEN}')
  ORDER BY w.created_at LIMIT 20`;

/** The withdrawals of a store that somebody must look at, the oldest first, 20 at most: those open for more than two hours, and contradicted ones. */
export const overdueWithdrawals = async (sql: Sql, storeId: string, now: Date): Promise<string[]> =>
  (await sql.query<{ id: string }>(OVERDUE, [storeId, now])).map(({ id }) => id);
