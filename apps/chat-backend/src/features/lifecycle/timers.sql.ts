/** Chats whose `pending_until` has come, one range of conversations_pending per store. $1 now  $2 limit  $3 those that are left out */
export const DUE = `
  SELECT c.store_id AS "storeId", c.id AS "conversationId", c.pending_until::text AS until FROM stores s CROSS JOIN LATERAL (
    SELECT c.store_id, c.id, c.pending_until FROM conversations c
    WHERE c.store_id = s.store_id AND c.pending_until <= $1::timestamptz AND c.status = 2 AND c.id <> ALL ($3::uuid[]) ORDER BY c.pending_until LIMIT $2::int) c
  ORDER BY c.pending_until LIMIT $2::int`;

/**
 * Chats in the statuses $3 in which nothing happened since $1, one range of conversations_team per team and status. A pending
 * chat that waits for a time is left to that time. $2 limit  $4 those that are left out
 */
export const IDLE = `
  SELECT c.store_id AS "storeId", c.id AS "conversationId" FROM teams t CROSS JOIN unnest($3::smallint[]) AS st(status) CROSS JOIN LATERAL (
    SELECT c.store_id, c.id FROM conversations c
    WHERE c.store_id = t.store_id AND c.team_id = t.id AND c.status = st.status AND c.last_at <= $1::timestamptz AND c.updated_at <= $1::timestamptz
      AND c.pending_until IS NULL AND c.id <> ALL ($4::uuid[])
    ORDER BY c.last_at LIMIT $2::int) c
  LIMIT $2::int`;
