import type { TestDatabase } from '@platform/testing';

/**
 * Customers write while no gateway is there: the simulated network holds their messages. Each is made after one that they
 * sent before, with the text `template`; resolves to the texts, in the order in which they were written.
 */
export const customersWrite = async (database: TestDatabase, template: string, each: number): Promise<string[]> => {
  const rows = await database.query<{ text: string }>(
    `INSERT INTO sim_message (instance_id, id, direction, phone, chat, content)
     SELECT m.instance_id, m.id || lpad(n::text, 3, '0'), 'in', m.phone, m.chat,
       replace(replace(m.content::text, m.id, m.id || lpad(n::text, 3, '0')), $1, $1 || ' ' || n)::jsonb
     FROM generate_series(1, $2) n, sim_message m WHERE m.direction = 'in' AND m.content::text LIKE '%' || $1 || '"%' ORDER BY n
     RETURNING (SELECT string_agg(value, '') FROM jsonb_path_query(content, '$.**.text') AS t(value0), LATERAL (SELECT t.value0 #>> '{}') AS v(value)) AS text`,
    [template, each],
  );
  return rows.map(({ text }) => text);
};
