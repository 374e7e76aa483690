import type { Sql } from '@platform/data';
import type { By } from '../../../by';
import type { Settled } from '../../../paid-fact';
import { settlePayment, tellBot } from '../../sales/payments/public';
import { endUnpaid } from '../asking/public';
import type { Fact } from '../port';
import { nextPoll, plain } from '../polls/public';

/** A payment at a provider, as notices and polls find it. */
export interface KnownPayment {
  readonly store_id: string;
  readonly id: string;
  readonly order_id: string | null;
  readonly invoice_id: string | null;
}

/** What a fact has made of its payment. `pending`: nothing yet. */
export type Applied = Settled | 'failed' | 'expired' | 'pending';

/**
 * Makes of a payment what its provider says of it, in the caller's transaction, whose last work it is; what comes late or twice changes
 * nothing. `tellsBot`: the bot engine is told of one that is paid, also when it was before.
 */
export const applyFact = async (
  tx: Sql,
  by: By,
  payment: KnownPayment,
  { fact, tellsBot = false }: { readonly fact: Fact; readonly tellsBot?: boolean },
): Promise<Applied> => {
  const { state, amount, currency, paidAt, ref, channel, fee } = fact;
  if (state === 'pending') return 'pending';
  if (state !== 'paid') {
    // A buyer whose first try has failed may try again on the page of the provider
    const pollAt = state === 'failed' ? nextPoll(by.at, 0) : null;
    await endUnpaid(tx, by, payment, { status: state, text: plain(fact.rawStatus), pollAt });
    return state;
  }
  const settled = await settlePayment(tx, by, payment.id, {
    ...{ amount, currency, paidAt: paidAt ?? by.at, fee, tellsBot },
    ...{ providerRef: ref && plain(ref), channel: channel && plain(channel) },
  });
  if (tellsBot && settled === 'already') await tellBot(tx, by.storeId, payment.id);
  return settled;
};
