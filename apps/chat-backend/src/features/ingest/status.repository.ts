import type { Sql } from '@platform/data';
import type { Notified } from '../notifications/notification.announcer';
import { notifiedList, notify } from '../notifications/notification.sql';

export interface StatusChange {
  readonly storeId: string;
  readonly instance: string;
  /** Our id when the gateway sent it along, else the id it reported. */
  readonly messageId: string;
  /** WhatsApp's id, kept with a message that has none yet. */
  readonly waId: string;
  readonly status: number;
  /** Time of the status as the gateway gave it; null: applied literally. */
  readonly at: number | null;
}

export interface AppliedStatus {
  readonly chatId: string;
  readonly pesanId: string;
  readonly seq: number;
  readonly changed: boolean;
}

/**
 * Statuses arrive out of order. With a time the later wins and, at the same time, the further one; without a time it is
 * applied literally (contract: any -> the given status). The message is found by our id, else by WhatsApp's. When it is the
 * chat's last one, the list row follows. One statement; a row comes back when the message exists, changed or not.
 */
export const APPLY_STATUS = `
  WITH hit AS (
    SELECT m.store_id, m.conversation_id, m.seq FROM messages m WHERE m.store_id = $1 AND m.instance = $2 AND m.pesan_id = $3
    UNION ALL SELECT m.store_id, m.conversation_id, m.seq FROM messages m WHERE m.store_id = $1 AND m.instance = $2 AND m.wa_id = $4
    LIMIT 1),
  applied AS (
    UPDATE messages m SET status_ack = $5::smallint, ack_ts = coalesce($6::bigint, m.ack_ts), wa_id = coalesce(m.wa_id, nullif($4, m.pesan_id)), error = NULL, failed_at = NULL
    FROM hit h WHERE m.store_id = h.store_id AND m.conversation_id = h.conversation_id AND m.seq = h.seq
      AND ($6::bigint IS NULL OR m.ack_ts IS NULL OR $6::bigint > m.ack_ts OR ($6::bigint = m.ack_ts AND $5::smallint > m.status_ack))
    RETURNING m.store_id, m.conversation_id, m.seq),
  listed AS (
    UPDATE conversations c SET last_ack = $5::smallint, version = c.version + 1
    FROM applied a WHERE c.store_id = a.store_id AND c.id = a.conversation_id AND c.last_seq = a.seq)
  SELECT h.store_id || '.' || h.conversation_id AS "chatId", m.pesan_id AS "pesanId", h.seq, EXISTS (SELECT 1 FROM applied) AS changed
  FROM hit h JOIN messages m ON m.store_id = h.store_id AND m.conversation_id = h.conversation_id AND m.seq = h.seq`;

/** A send that failed after it was accepted: it stays pending, with the reason, and its sender is told once (design section 1, row 6). */
const MARK_FAILED = `
  WITH failed AS (
    UPDATE messages m SET error = $4, failed_at = now()
    WHERE m.store_id = $1 AND m.instance = $2 AND m.pesan_id = $3 AND m.status_ack = 0 AND m.failed_at IS NULL RETURNING m.*),
  notified AS (${notify(`
    SELECT m.store_id, m.user_id, 'send_failed' AS type, 'Pesan tidak terkirim' AS judul, left(coalesce(m.pesan, m.caption, '[' || m.type || ']'), 200) AS isi,
      m.conversation_id, m.pesan_id, 1 AS count
    FROM failed m WHERE m.user_id IS NOT NULL`)})
  SELECT ${notifiedList('notified', 'c', 's')} AS notified
  FROM failed m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN stores s ON s.store_id = c.store_id`;

export class StatusRepository {
  constructor(private readonly sql: Sql) {}

  /** Undefined: no such message on this device. */
  async apply({ storeId, instance, messageId, waId, status, at }: StatusChange): Promise<AppliedStatus | undefined> {
    const [row] = await this.sql.prepared<AppliedStatus>('apply_status', APPLY_STATUS, [
      storeId,
      instance,
      messageId,
      waId,
      status,
      at,
    ]);
    return row;
  }

  /** Whom it notified. */
  async markFailed(storeId: string, instance: string, messageId: string, reason: string): Promise<Notified[] | null> {
    const [row] = await this.sql.prepared<{ notified: Notified[] | null }>('mark_failed', MARK_FAILED, [
      storeId,
      instance,
      messageId,
      reason,
    ]);
    return row?.notified ?? null;
  }
}
