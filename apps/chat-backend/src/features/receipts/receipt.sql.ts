import type { OutboxKind } from '@platform/outbox';

/** A tick on its way to the gateway, which shows it to the customer. */
export const READ_ROW: OutboxKind = { name: 'read', effect: 'outside' };

/** What the gateway takes in one call. */
const MOST_IDS = 100;

/**
 * A query that queues receipts for the inbound messages of `read`, rows of conversations with the number up to which each was
 * read `before`, and now is. In a lane and to a target of their own, so that no reply waits for a tick, nor for a device that takes
 * messages and no ticks; nothing where `wanted`, a condition, does not hold.
 */
export const queueReceipts = (read: string, wanted: string): string => `
  SELECT outbox_enqueue(p.instance || '|' || p.nohp || '|read', p.instance || '|read', '${READ_ROW.name}', NULL,
    jsonb_build_object('instance', p.instance, 'number', p.nohp, 'ids', p.ids)) AS id
  FROM (
    SELECT m.instance, m.nohp, jsonb_agg(m.pesan_id ORDER BY m.seq) AS ids
    FROM (
      SELECT r.instance, r.nohp, x.pesan_id, x.seq, row_number() OVER (PARTITION BY r.store_id, r.id ORDER BY x.seq) - 1 AS n
      FROM ${read} r JOIN messages x ON x.store_id = r.store_id AND x.conversation_id = r.id AND x.seq > r.before AND x.seq <= r.read_seq AND NOT x.from_me
      WHERE ${wanted}) m
    GROUP BY m.instance, m.nohp, m.n / ${MOST_IDS} ORDER BY min(m.seq)) p`;
