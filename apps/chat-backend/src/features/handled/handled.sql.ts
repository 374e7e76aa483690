/** Most numbers of one answer. Who has more chats than these in their name is told the newest, unfinished ones first. */
export const MOST_HANDLED = 2_000;

/**
 * Numbers of the customers whose chats are in the name of one user, by `conversations_assignee`: each status is read from its newest
 * end, no further than the answer can be long. Groups are nobody's. A finished chat keeps its name until the customer writes again.
 * $1 store  $2 user
 */
export const HANDLED = `
  SELECT h.nohp FROM (
    SELECT c.nohp, min(s.place) AS place, max(c.last_at) AS last_at FROM (VALUES (1, 1), (2, 1), (0, 1), (3, 2)) s (status, place) CROSS JOIN LATERAL (
      SELECT c.nohp, c.last_at FROM conversations c
      WHERE c.store_id = $1 AND c.assignee_id = $2 AND c.status = s.status AND NOT c.is_group
      ORDER BY c.last_at DESC LIMIT ${MOST_HANDLED}) c
    GROUP BY c.nohp) h
  ORDER BY h.place, h.last_at DESC LIMIT ${MOST_HANDLED}`;
