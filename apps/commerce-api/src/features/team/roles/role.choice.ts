import type { Sql } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import { systemRoleNames, systemRoles, type SystemRole } from '../../../roles';
import { refusals } from '../../../refusals';

/** A role by either of its names, and what it allows. */
export interface ChosenRole {
  readonly system_role: SystemRole | null;
  readonly role_id: string | null;
  readonly abilities: readonly string[];
}

/** The columns of a row that has a role. */
export interface RoleColumns {
  readonly system_role: SystemRole | null;
  readonly role_id: string | null;
  readonly role_name: string | null;
}

const FIND = 'SELECT id AS role_id, abilities FROM role WHERE store_id = $1 AND id = $2 FOR SHARE';

/** The owner's is not for anybody else, and another name is none. */
const noRole = () =>
  new InvalidInput([{ field: 'role_id', tag: 'role', message: 'role_id must be a role that a member can have' }]);

/** One that can be given, as it stays until the transaction ends. Throws `NotFound` for a row that is not this store's, `InvalidInput`. */
export const chosenRole = async (tx: Sql, storeId: string, id: string): Promise<ChosenRole> => {
  const system = systemRoleNames.find((name) => name === id && name !== 'owner');
  if (system) return { system_role: system, role_id: null, abilities: systemRoles[system] };
  if (!isUuid(id)) throw noRole();
  const [row] = await tx.query<Omit<ChosenRole, 'system_role'>>(FIND, [storeId, id]);
  if (!row) throw refusals.notHere('role_id', 'is not a role of this store');
  return { ...row, system_role: null };
};

export const roleNameOf = ({ system_role: system, role_id, role_name }: RoleColumns): { id: string; name: string } => ({
  id: system ?? role_id ?? '',
  name: system ?? role_name ?? '',
});
