import { notificationRecord, notify } from '../notifications/public';
import { hearersOf } from '../tenancy/public';

/**
 * Chats whose customer waits longer than the store allows and nobody was told of in this episode: the assignee and the
 * supervisors of the team are told, all of the team while nobody has the chat. Marking and telling are one statement, so a
 * chat is told of once, whatever runs twice. One range of conversations_team per team with a limit. $1 now  $2 most chats
 */
export const SLA = `
WITH late AS MATERIALIZED (
  SELECT c.store_id, c.id FROM stores s JOIN teams t ON t.store_id = s.store_id CROSS JOIN unnest(ARRAY[0, 1]::smallint[]) AS st(status) CROSS JOIN LATERAL (
    SELECT v.store_id, v.id FROM conversations v
    WHERE v.store_id = t.store_id AND v.team_id = t.id AND v.status = st.status AND v.sla_episode IS DISTINCT FROM v.episode
      AND v.waiting_since <= $1::timestamptz - (s.settings->>'sla_menit')::int * interval '1 minute'
    LIMIT $2::int FOR UPDATE SKIP LOCKED) c
  WHERE s.settings->>'sla_menit' ~ '^[1-9][0-9]{0,5}$'
  LIMIT $2::int),
marked AS (
  UPDATE conversations c SET sla_episode = c.episode FROM late l WHERE c.store_id = l.store_id AND c.id = l.id RETURNING c.*),
notified AS (${notify(`
  SELECT c.store_id, u.user_id, 'sla' AS type, 'Pelanggan menunggu terlalu lama' AS judul, coalesce(k.nama, c.nohp) || coalesce(': ' || c.last_text, '') AS isi,
    c.id AS conversation_id, c.last_pesan_id AS pesan_id, 1 AS count
  FROM marked c JOIN customers k ON k.store_id = c.store_id AND k.id = c.customer_id CROSS JOIN LATERAL (
    SELECT m.user_id FROM team_members m WHERE m.store_id = c.store_id AND m.team_id = c.team_id AND m.role = 'supervisor'
    UNION SELECT t.user_id FROM (${hearersOf('c')}) t) u`)})
SELECT (SELECT count(*)::int FROM marked) AS marked, (
  SELECT json_agg(json_build_object('store', n.store_id, 'user', n.user_id, 'notif', ${notificationRecord('n', 'c', 's')}))
  FROM notified n JOIN marked c ON c.store_id = n.store_id AND c.id = n.conversation_id JOIN stores s ON s.store_id = n.store_id) AS notified`;
