import type { Sql } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import type { Actor } from '../lifecycle/public';
import { ticketNumber, type ConversationKey } from '../records/public';

/**
 * Opens a ticket about an escalated chat, unless one of it is open, and names the ticket on the chat and its escalation. The
 * number counts up per store: its row is locked last, so that numbers have no gaps and no two are alike.
 * $1 store  $2 chat  $3 ticket id  $4 reason  $5 priority or null  $6 actor type  $7 actor
 */
export const OPEN_TICKET = `
WITH present AS (
  SELECT t.id FROM tickets t WHERE t.store_id = $1 AND t.conversation_id = $2 AND t.status NOT IN ('resolved', 'closed') ORDER BY t.id DESC LIMIT 1),
number AS (
  INSERT INTO ticket_numbers AS n (store_id, last) SELECT $1, 1 WHERE NOT EXISTS (SELECT 1 FROM present)
  ON CONFLICT (store_id) DO UPDATE SET last = n.last + 1 RETURNING last),
made AS (
  INSERT INTO tickets (store_id, id, nomor, conversation_id, nohp, instance, team_id, customer_id, judul, isi, kategori, prioritas)
  SELECT c.store_id, $3::uuid, ${ticketNumber('n.last')}, c.id, c.nohp, c.instance, c.team_id, c.customer_id, left($4, 150), $4, 'eskalasi', coalesce($5, 'medium')
  FROM conversations c CROSS JOIN number n WHERE c.store_id = $1 AND c.id = $2
  RETURNING id),
noted AS (
  INSERT INTO ticket_histories (store_id, ticket_id, id, event, to_status, actor_type, actor_id, catatan)
  SELECT $1, m.id, uuidv7(), 'created', 'open', $6, $7, $4 FROM made m RETURNING 1),
ticket AS (SELECT id FROM present UNION ALL SELECT id FROM made),
named AS (UPDATE conversations c SET ticket_id = t.id FROM ticket t WHERE c.store_id = $1 AND c.id = $2 AND c.ticket_id IS DISTINCT FROM t.id::text RETURNING 1)
UPDATE escalations e SET ticket_id = t.id FROM ticket t WHERE e.store_id = $1 AND e.conversation_id = $2`;

export interface TicketRequest {
  readonly reason: string;
  readonly priority: string | undefined;
  readonly actor: Actor;
}

export const openTicket = async (
  tx: Sql,
  { storeId, conversationId }: ConversationKey,
  { reason, priority, actor }: TicketRequest,
): Promise<void> => {
  const values = [storeId, conversationId, uuidv7(), reason, priority ?? null, actor.type, actor.userId];
  await tx.prepared('escalation_ticket', OPEN_TICKET, values);
};
