import { notifiedList, notify } from '../notifications/public';
import { movements, RECIPIENT_NAMES } from '../records/public';
import { hearersOf } from '../tenancy/public';

/** Who is told of a message `m` of chat `c` that failed: its sender; of what no person sent, who has the chat, else its team. */
const CONCERNED = `
  SELECT m.user_id WHERE m.user_id IS NOT NULL
  UNION ALL SELECT t.user_id FROM (${hearersOf('c')}) t WHERE m.user_id IS NULL`;

/**
 * A send that will not arrive keeps the status it has, with the reason, and whom it concerns is told, both once (WhatsApp may have taken it before it gave up); a recipient of a campaign fails (design section 1, row 6; 3.3).
 * A campaign counts its failures instead of telling of each. `which` picks the message `m`, `reason` is an SQL expression.
 */
export const failSend = (which: string, reason: string): string => `
  WITH failed AS (
    UPDATE messages m SET error = ${reason}, failed_at = now() WHERE ${which} AND m.status_ack <= 1 AND m.failed_at IS NULL RETURNING m.*),
  ${movements(`
    SELECT m.store_id, m.broadcast_id::uuid AS broadcast_id, n.nohp, m.pesan_id, 4 AS status, m.error
    FROM failed m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id ${RECIPIENT_NAMES} WHERE m.broadcast_id IS NOT NULL`)},
  notified AS (${notify(`
    SELECT m.store_id, w.user_id, 'send_failed' AS type, 'Pesan tidak terkirim' AS judul, left(coalesce(m.pesan, m.caption, '[' || m.type || ']'), 200) AS isi,
      m.conversation_id, m.pesan_id, 1 AS count
    FROM failed m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id CROSS JOIN LATERAL (${CONCERNED}) w
    WHERE m.broadcast_id IS NULL`)})
  SELECT ${notifiedList('notified', 'c', 's')} AS notified
  FROM failed m JOIN conversations c ON c.store_id = m.store_id AND c.id = m.conversation_id JOIN stores s ON s.store_id = c.store_id`;
