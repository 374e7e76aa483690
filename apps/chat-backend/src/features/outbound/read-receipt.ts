import type { Deliver, OutboxKind } from '@platform/outbox';
import type { GatewayClient, ReadReceipt } from '../../clients/gateway.client';
import { verdictOf } from './delivery';

/** A tick on its way to the gateway, which shows it to the customer. */
export const READ_ROW: OutboxKind = { name: 'read', effect: 'outside' };

/** What the gateway takes in one call. */
const MOST_IDS = 100;

/**
 * A query that queues receipts for the inbound messages of `read`, rows of conversations with the number up to which each was
 * read `before`. In a lane of their own, so that no reply waits for a tick; nothing where `wanted`, a condition, does not hold.
 */
export const queueReceipts = (read: string, wanted: string): string => `
  SELECT outbox_enqueue(p.instance || '|' || p.nohp || '|read', p.instance, '${READ_ROW.name}', NULL,
    jsonb_build_object('instance', p.instance, 'number', p.nohp, 'ids', p.ids)) AS id
  FROM (
    SELECT m.instance, m.nohp, jsonb_agg(m.pesan_id ORDER BY m.seq) AS ids
    FROM (
      SELECT r.instance, r.nohp, x.pesan_id, x.seq, row_number() OVER (PARTITION BY r.store_id, r.id ORDER BY x.seq) - 1 AS n
      FROM ${read} r JOIN messages x ON x.store_id = r.store_id AND x.conversation_id = r.id AND x.seq > r.before AND x.seq <= r.last_seq AND NOT x.from_me
      WHERE ${wanted}) m
    GROUP BY m.instance, m.nohp, m.n / ${MOST_IDS} ORDER BY min(m.seq)) p`;

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
  async ({ payload, attempt, failures, firstTryAt }, signal) => {
    if (firstTryAt !== null && Date.now() - firstTryAt.getTime() >= maxAgeSeconds * 1000)
      return { verdict: 'done', outcome: 'too late' };
    const answer = await gateway.markRead(payload, signal);
    if (answer.status === 200) return { verdict: 'done' };
    const verdict = verdictOf(answer, attempt, failures, undefined);
    return verdict.verdict === 'dead' ? { verdict: 'done', outcome: verdict.reason } : verdict;
  };
