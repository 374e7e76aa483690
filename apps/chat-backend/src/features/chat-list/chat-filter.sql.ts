const texts = (filter: string, name: string): string =>
  `ARRAY(SELECT jsonb_array_elements_text(${filter}::jsonb->'${name}'))`;
const startOf = (filter: string, name: string): string =>
  `((${filter}::jsonb->>'${name}')::date + CASE WHEN '${name}' = 'date_to' THEN 1 ELSE 0 END)::timestamp AT TIME ZONE (SELECT x.tz FROM stores x WHERE x.store_id = $1)`;
const latest = (table: string, of: string, by: string): string =>
  `(SELECT o.status FROM ${table} o WHERE o.store_id = c.store_id AND ${of} ORDER BY o.${by} DESC LIMIT 1)`;

/** What each member of the filter asks of conversation `c`, as SQL over the filter. */
const members: Readonly<Record<string, (filter: string) => string>> = {
  user_id: (f) => `c.assignee_id = ${f}::jsonb->>'user_id'`,
  unassigned: () => 'c.assignee_id IS NULL',
  unread: (f) => `(c.unread_count > 0) = (${f}::jsonb->>'unread')::boolean`,
  tag: (f) =>
    `EXISTS (SELECT 1 FROM customers x WHERE x.store_id = c.store_id AND x.id = c.customer_id AND x.tags && ${texts(f, 'tag')})`,
  prioritas: (f) => `c.prioritas = ANY (${texts(f, 'prioritas')})`,
  escalate: (f) => `(c.status_escalate = 1) = (${f}::jsonb->>'escalate')::boolean`,
  is_group: (f) => `c.is_group = (${f}::jsonb->>'is_group')::boolean`,
  gudang_id: (f) => `c.gudang_id = ${f}::jsonb->>'gudang_id'`,
  date_from: (f) => `c.last_at >= ${startOf(f, 'date_from')}`,
  date_to: (f) => `c.last_at < ${startOf(f, 'date_to')}`,
  waiting_min: (f) => `c.waiting_since < now() - (${f}::jsonb->>'waiting_min')::int * interval '1 minute'`,
  order_status: (f) => `${latest('chat_orders', 'o.nohp = c.nohp', 'created_at')} = ANY (${texts(f, 'order_status')})`,
  ticket_status: (f) =>
    `${latest('tickets', 'o.conversation_id = c.id', 'created_at')} = ${f}::jsonb->>'ticket_status'`,
  // A keyword beside a search: of the few chats that the search found
  keyword: (f) => `(c.last_text ILIKE ${f}::jsonb->>'keyword' OR c.nohp ILIKE ${f}::jsonb->>'keyword'
    OR EXISTS (SELECT 1 FROM customers x WHERE x.store_id = c.store_id AND x.id = c.customer_id AND x.nama ILIKE ${f}::jsonb->>'keyword'))`,
};

/** Filters without an index, on the rows of the range that was chosen (design 2.3). Absent members hold for every row. */
export const residual = (filter: string): string =>
  Object.entries(members)
    .map(([name, holds]) => `(${filter}::jsonb->'${name}' IS NULL OR ${holds(filter)})`)
    .join(' AND ');
