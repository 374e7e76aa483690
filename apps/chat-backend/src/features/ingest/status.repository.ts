import type { Sql } from '@platform/data';
import type { Notified } from '../notifications/public';
import { failSend } from '../outbound/public';
import { movements, RECIPIENT_NAMES } from '../records/public';

export interface StatusChange {
  readonly storeId: string;
  readonly instance: string;
  /** Our id when the gateway sent it along, else the id it reported. */
  readonly messageId: string;
  /** WhatsApp's id, kept with a message that has none yet. */
  readonly waId: string;
  /** Of whom the status is, as a chat's `nohp` is written. */
  readonly nohp: string;
  readonly status: number;
  /** Second of the status; null: applied literally. */
  readonly at: number | null;
}

export interface AppliedStatus {
  readonly chatId: string;
  readonly pesanId: string;
  readonly seq: number;
  readonly changed: boolean;
}

/**
 * Message `m` is not in the chat of number `nohp` but in another one. A number without a chat tells nothing: WhatsApp may write
 * it in another way than we do; nor does a hidden id of which nobody has told whose it is, with a chat or without; nor what its own chat began as, whoever has that now,
 * nor any number where its own chat is known by a hidden id: the gateway tells by what its device remembers for that. As `EXISTS` its own chat would be
 * looked for among all, read once and hashed.
 */
const ofAnother = (nohp: string): string => `(NOT coalesce((
  SELECT ${nohp} IN (c.nohp, c.begun_as) OR c.nohp LIKE ANY ('{%@lid,%@bsuid}') FROM conversations c WHERE c.store_id = m.store_id AND c.id = m.conversation_id), false)
  AND EXISTS (
  SELECT 1 FROM conversations o WHERE o.store_id = m.store_id AND o.instance = m.instance AND o.id <> m.conversation_id
    AND o.nohp = coalesce((SELECT a.nohp FROM conversation_aliases a WHERE a.store_id = m.store_id AND a.instance = m.instance AND a.alias = ${nohp}),
      CASE WHEN ${nohp} NOT LIKE ALL ('{%@lid,%@bsuid}') THEN ${nohp} END)))`;

/**
 * Statuses arrive out of order. With a time the later wins and, at the same time, the further one; without a time it is
 * applied literally (contract: any -> the given status). What the customer wrote has no status that changes. The message is
 * found by our id, else by WhatsApp's, and not when the number is that of another chat. When it is the chat's last one, the list
 * row follows; so does the recipient of a campaign. One statement; a row comes back when the message exists, changed or not.
 */
export const APPLY_STATUS = `
  WITH hit AS (
    SELECT m.store_id, m.conversation_id, m.seq FROM messages m WHERE m.store_id = $1 AND m.instance = $2 AND m.pesan_id = $3 AND NOT ${ofAnother('$7')}
    UNION ALL SELECT m.store_id, m.conversation_id, m.seq FROM messages m WHERE m.store_id = $1 AND m.instance = $2 AND m.wa_id = $4 AND NOT ${ofAnother('$7')}
    LIMIT 1),
  applied AS (
    UPDATE messages m SET status_ack = $5::smallint, ack_ts = coalesce($6::bigint, m.ack_ts), wa_id = coalesce(m.wa_id, nullif($4, m.pesan_id)), error = NULL, failed_at = NULL
    FROM hit h WHERE m.store_id = h.store_id AND m.conversation_id = h.conversation_id AND m.seq = h.seq AND m.from_me
      AND ($6::bigint IS NULL OR m.ack_ts IS NULL OR $6::bigint > m.ack_ts OR ($6::bigint = m.ack_ts AND $5::smallint > m.status_ack))
    RETURNING m.store_id, m.conversation_id, m.seq, m.pesan_id, m.broadcast_id),
  listed AS (
    UPDATE conversations c SET last_ack = $5::smallint, version = c.version + 1
    FROM applied a WHERE c.store_id = a.store_id AND c.id = a.conversation_id AND c.last_seq = a.seq),
  ${movements(`
    SELECT a.store_id, a.broadcast_id::uuid AS broadcast_id, n.nohp, a.pesan_id, least($5::smallint, 3) AS status, NULL::text AS error
    FROM applied a JOIN conversations c ON c.store_id = a.store_id AND c.id = a.conversation_id ${RECIPIENT_NAMES} WHERE a.broadcast_id IS NOT NULL`)}
  SELECT h.store_id || '.' || h.conversation_id AS "chatId", m.pesan_id AS "pesanId", h.seq, EXISTS (SELECT 1 FROM applied) AS changed
  FROM hit h JOIN messages m ON m.store_id = h.store_id AND m.conversation_id = h.conversation_id AND m.seq = h.seq`;

/** A send that failed after it was accepted. $1 store  $2 device  $3 our id  $4 reason  $5 number */
const MARK_FAILED = failSend(
  `m.store_id = $1 AND m.instance = $2 AND m.pesan_id = $3 AND NOT ${ofAnother('$5')}`,
  '$4',
);

export class StatusRepository {
  constructor(private readonly sql: Sql) {}

  /** Undefined: no such message of this device and number. */
  async apply({
    storeId,
    instance,
    messageId,
    waId,
    nohp,
    status,
    at,
  }: StatusChange): Promise<AppliedStatus | undefined> {
    const [row] = await this.sql.prepared<AppliedStatus>('apply_status', APPLY_STATUS, [
      storeId,
      instance,
      messageId,
      waId,
      status,
      at,
      nohp,
    ]);
    return row;
  }

  /** Whom it notified. */
  async markFailed(
    { storeId, instance, messageId, nohp }: Pick<StatusChange, 'storeId' | 'instance' | 'messageId' | 'nohp'>,
    reason: string,
  ): Promise<Notified[] | null> {
    const values = [storeId, instance, messageId, reason, nohp];
    const [row] = await this.sql.prepared<{ notified: Notified[] | null }>('mark_failed', MARK_FAILED, values);
    return row?.notified ?? null;
  }
}
