import type { Database } from '@platform/data';

export interface MemberName {
  readonly id: string;
  readonly name: string;
}

/** A store has no more of them that anybody could choose from. */
const MOST = 200;
const NAMES = `
  SELECT m.user_id AS id, coalesce(nullif(p.name, ''), m.user_id::text) AS name
  FROM membership m LEFT JOIN person p ON p.user_id = m.user_id
  WHERE m.store_id = $1 AND m.status = 'active' ORDER BY name, m.user_id LIMIT ${MOST}`;

/** Who works here, to choose one of. */
export const memberNames = (sql: Pick<Database, 'prepared'>, storeId: string): Promise<MemberName[]> =>
  sql.prepared('members.names', NAMES, [storeId]);
