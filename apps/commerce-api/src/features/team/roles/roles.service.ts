import { diffOf, isUniqueViolation, writeAudit, type Database, type Sql, type Transaction } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { isUuid, uuidv7, type Clock } from '@platform/runtime';
import { abilities as texts, knownAbilities, type Caller } from '../../../abilities';
import { auditOf } from '../../../audit';
import { refusals } from '../../../refusals';
import { demandSeen } from '../../../web/seen';
import { systemRoleNames, systemRoles } from '../../../roles';
import type { Pushes } from '../../identity/access/public';
import type { Permission, RoleBody, RoleView } from './roles.dto';
import { refuseBeyond, teamTurn } from './team.lock';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly abilities: readonly string[];
}

/** Fewer than are listed: each can be seen, and taken away. */
const MOST = 100;
export const roleRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST} roles of its own`, { code: 'too_many_roles' }),
} as const;
const COUNT = 'SELECT count(*)::int AS roles FROM role WHERE store_id = $1';

const ROLES = `
  SELECT r.id, r.name, r.abilities,
    (SELECT count(*)::int FROM membership m WHERE m.store_id = r.store_id AND m.role_id = r.id) AS members
  FROM role r WHERE r.store_id = $1 ORDER BY lower(r.name) LIMIT 500`;

const MEMBERS_OF_SYSTEM_ROLES = `
  SELECT system_role AS name, count(*)::int AS members FROM membership
  WHERE store_id = $1 AND system_role IS NOT NULL GROUP BY system_role`;

const IN_USE = `
  SELECT 1 FROM membership WHERE store_id = $1 AND role_id = $2
  UNION ALL SELECT 1 FROM invitation WHERE store_id = $1 AND role_id = $2 LIMIT 1`;

/** A member whose role changes has changed: store-auth ignores what is not newer. */
const TOUCH = `
  UPDATE membership SET updated_at = greatest($3, updated_at + interval '1 millisecond')
  WHERE store_id = $1 AND role_id = $2 RETURNING user_id`;

export interface TeamParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly pushes: Pushes;
  readonly clock: Clock;
}

/** What a form shows of a role. */
export const editableOf = ({ name, abilities }: Pick<Row, 'name' | 'abilities'>): object => ({
  name,
  abilities: [...abilities].sort(),
});

/** What can be granted to roles, by area. */
export const permissions = (): Permission[] =>
  knownAbilities.map((ability) => ({ ability, area: ability.split('.')[0] ?? '', text: texts[ability] }));

/** Roles of a store: those of every store, which are code, and its own. */
export class RolesService {
  constructor(private readonly parts: TeamParts) {}

  async list(storeId: string): Promise<RoleView[]> {
    const { database } = this.parts;
    const own = await database.query<Row & { members: number }>(ROLES, [storeId]);
    const counts = await database.query<{ name: string; members: number }>(MEMBERS_OF_SYSTEM_ROLES, [storeId]);
    const system = systemRoleNames.map((name) => ({
      id: name,
      name,
      system: true,
      abilities: [...systemRoles[name]],
      members: counts.find((each) => each.name === name)?.members ?? 0,
    }));
    return [...system, ...own.map((row) => ({ ...row, system: false, abilities: [...row.abilities] }))];
  }

  create(caller: Caller, body: RoleBody): Promise<RoleView> {
    const { database, clock } = this.parts;
    const role = { id: uuidv7(), ...checked(body) };
    return database.tx(async (tx) => {
      refuseBeyond(await teamTurn(tx, caller, clock), role.abilities);
      const insert = `INSERT INTO role (store_id, id, name, abilities, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)`;
      const [count] = await tx.query<{ roles: number }>(COUNT, [caller.storeId]);
      if ((count?.roles ?? 0) >= MOST) throw roleRefusals.tooMany();
      await named(tx.query(insert, [caller.storeId, role.id, role.name, role.abilities, clock.now()]));
      await this.written(tx, caller, undefined, role);
      return { ...role, system: false, members: 0 };
    });
  }

  /**
   * From the commit on its members may do what it says; store-auth and chat-backend hear whether they see all chats. Throws `version_conflict`
   * when it is not any more what was `seen` of it.
   */
  change(caller: Caller, id: string, body: RoleBody, seen?: string): Promise<RoleView> {
    const { database, pushes, clock } = this.parts;
    const { storeId } = caller;
    return database.tx(async (tx) => {
      const own = await teamTurn(tx, caller, clock);
      const before = await this.row(tx, storeId, id);
      demandSeen(seen, editableOf(before));
      const after = { id, ...checked(body) };
      const added = after.abilities.filter((ability) => !before.abilities.includes(ability));
      refuseBeyond(own, added);
      const now = clock.now();
      const update = 'UPDATE role SET name = $3, abilities = $4, updated_at = $5 WHERE store_id = $1 AND id = $2';
      await named(tx.query(update, [storeId, id, after.name, after.abilities, now]));
      await this.written(tx, caller, before, after);
      const members = await tx.query<{ user_id: string }>(TOUCH, [storeId, id, now]);
      for (const { user_id: user } of members) await pushes.member(tx, storeId, user, now);
      return { ...after, system: false, members: members.length };
    });
  }

  remove(caller: Caller, id: string): Promise<void> {
    const { database, clock } = this.parts;
    return database.tx(async (tx) => {
      await teamTurn(tx, caller, clock);
      const before = await this.row(tx, caller.storeId, id);
      if ((await tx.query(IN_USE, [caller.storeId, id])).length > 0) throw refusals.roleInUse();
      await tx.query('DELETE FROM role WHERE store_id = $1 AND id = $2', [caller.storeId, id]);
      await this.written(tx, caller, before, undefined);
    });
  }

  /** Throws `Conflict` for a role of every store, `NotFound` for one that this store has not. */
  private async row(sql: Sql, storeId: string, id: string): Promise<Row> {
    if (systemRoleNames.some((name) => name === id)) throw refusals.systemRole();
    const find = 'SELECT id, name, abilities FROM role WHERE store_id = $1 AND id = $2 FOR UPDATE';
    const [row] = isUuid(id) ? await sql.query<Row>(find, [storeId, id]) : [];
    if (!row) throw new NotFound('Role not found');
    return row;
  }

  private written(tx: Transaction, caller: Caller, before: Row | undefined, after: Row | undefined): Promise<void> {
    const subject = { type: 'role', id: (after ?? before)?.id ?? '' };
    return writeAudit(tx, auditOf(caller, this.parts.clock), {
      action: 'team.manage',
      subject,
      diff: diffOf(before, after),
    });
  }
}

const checked = ({ name, abilities }: RoleBody): RoleBody => {
  const at = abilities.findIndex((ability) => !(knownAbilities as string[]).includes(ability));
  const field = `abilities[${at}]`;
  if (at >= 0) throw new InvalidInput([{ field, tag: 'oneof', message: `${field} must be a known ability` }]);
  if (systemRoleNames.some((known) => known === name.toLowerCase())) throw refusals.nameTaken();
  return { name, abilities: [...new Set(abilities)].sort() };
};

const named = async (written: Promise<unknown>): Promise<void> => {
  await written.catch((cause: unknown) => {
    throw isUniqueViolation(cause) ? refusals.nameTaken() : cause;
  });
};
