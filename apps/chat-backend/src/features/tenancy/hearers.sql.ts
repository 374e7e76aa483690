/** SQL condition: this user of the store works there now. */
const isAtWork = (store: string, user: string): string =>
  `EXISTS (SELECT 1 FROM users w WHERE w.store_id = ${store} AND w.user_id = ${user} AND w.aktif)`;

/**
 * SQL: `user_id` of those who hear of the chats of a team: its members, and while none of them is at work whoever answers for the whole store.
 * A customer whom nobody is told of waits until somebody happens to look.
 */
export const hearers = (store: string, team: string): string => `
    SELECT m.user_id FROM team_members m WHERE m.store_id = ${store} AND m.team_id = ${team}
    UNION SELECT p.user_id FROM users p WHERE p.store_id = ${store} AND p.role IN ('owner', 'admin', 'supervisor') AND p.aktif AND NOT EXISTS (
      SELECT 1 FROM team_members m WHERE m.store_id = ${store} AND m.team_id = ${team} AND ${isAtWork(store, 'm.user_id')})`;

/** SQL: the same of chat `c`: who has it, and with who is not at work any more the hearers of its team. */
export const hearersOf = (c: string): string => `
    SELECT ${c}.assignee_id AS user_id WHERE ${c}.assignee_id IS NOT NULL
    UNION SELECT t.user_id FROM (${hearers(`${c}.store_id`, `${c}.team_id`)}) t WHERE ${c}.assignee_id IS NULL OR NOT ${isAtWork(`${c}.store_id`, `${c}.assignee_id`)}`;
