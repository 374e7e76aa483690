import type { Sql } from '@platform/data';
import { pushedRole, systemRoles, type SystemRole } from '../../../roles';
import type { CopiedRows } from '../../chat/copies/public';

const STANDING = `
  SELECT m.user_id, p.name, p.email, m.system_role, r.abilities, m.status FROM membership m
  LEFT JOIN person p ON p.user_id = m.user_id LEFT JOIN role r ON r.store_id = m.store_id AND r.id = m.role_id
  WHERE m.store_id = $1 AND m.user_id = ANY ($2::uuid[])`;

interface Row {
  readonly user_id: string;
  readonly name: string | null;
  readonly email: string | null;
  readonly system_role: SystemRole | null;
  readonly abilities: readonly string[] | null;
  readonly status: string;
}

/** Who works in a store, by the four roles that chat-backend knows. */
export const memberCopies: CopiedRows = {
  standing: async (sql: Sql, storeId, ids) =>
    (await sql.query<Row>(STANDING, [storeId, ids])).map(
      ({ user_id, name, email, system_role, abilities, status }) => ({
        rowId: user_id,
        row: {
          ...{ user_id, nama: name ?? undefined, email: email ?? undefined, aktif: status === 'active' },
          role: pushedRole(system_role, system_role ? systemRoles[system_role] : (abilities ?? [])),
        },
      }),
    ),
  keys: (user_id) => ({ user_id }),
};
