import type { Deliver } from '@platform/outbox';
import type { GatewayClient, ReadReceipt } from '../../clients/gateway.client';
import { verdictOf } from './delivery';

export interface ReceiptOptions {
  readonly gateway: Pick<GatewayClient, 'markRead'>;
  /** After this nobody waits for a tick any more (OUTBOX_MAX_AGE_H). */
  readonly maxAgeSeconds: number;
}

/**
 * Takes a receipt to the gateway, which knows the messages by their ids: the same receipt again changes nothing. What the
 * gateway will never take is given up without a dead row: nobody is to look after a tick.
 */
export const deliverReceipt =
  ({ gateway, maxAgeSeconds }: ReceiptOptions): Deliver<ReadReceipt> =>
  async ({ payload, attempt, failures, triedSeconds }, signal) => {
    if (triedSeconds !== null && triedSeconds >= maxAgeSeconds) return { verdict: 'done', outcome: 'too late' };
    const answer = await gateway.markRead(payload, signal);
    if (answer.status === 200) return { verdict: 'done' };
    const verdict = verdictOf(answer, attempt, failures, undefined);
    return verdict.verdict === 'dead' ? { verdict: 'done', outcome: verdict.reason } : verdict;
  };
