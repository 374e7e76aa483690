import type { Sql } from '@platform/data';
import { refusals } from './refusals';
import { asks, requireStore, sightOf, type Scope } from './scope';

/**
 * SQL of `Entrance`, from SQL of what is asked: device, team, the caller's own store (null: the device's) and what it sees chats
 * by (`sightOf`).
 */
const entrance = (instance: string, team: string, store: string, sight: string): string => `
  WITH route AS (SELECT store_id FROM device_route WHERE instance = ${instance}),
  -- What a device that is gone has brought stays to be read
  device AS (
    SELECT store_id FROM route
    UNION ALL SELECT ${store}::text WHERE NOT EXISTS (SELECT 1 FROM route)
      AND EXISTS (SELECT 1 FROM conversations c WHERE c.store_id = ${store}::text AND c.instance = ${instance}))
  SELECT (SELECT store_id FROM device) AS store,
    (SELECT t.private FROM teams t WHERE t.store_id = coalesce(${store}, (SELECT store_id FROM device)) AND t.id = ${team}) AS private,
    -- A chat of the team is escalated to the caller: each chat is then looked at for itself
    CASE WHEN ${sight}::text[] IS NULL OR ${team} = ANY (${sight}::text[]) THEN true ELSE EXISTS (
      SELECT 1 FROM escalations e JOIN conversations c ON c.store_id = e.store_id AND c.id = e.conversation_id
      WHERE e.store_id = ${store} AND c.team_id = ${team} AND ${asks('e', sight)}) END AS admitted`;
const LOOKUP = entrance('$1', '$2', '$3', '$4');

const AT_WORK = `SELECT 1 AS yes FROM users u WHERE u.store_id = $1 AND u.user_id = $2 AND u.aktif`;

const OPEN_TEAMS = `SELECT t.id FROM teams t WHERE t.store_id = $1 AND NOT t.private ORDER BY t.id`;

/** What decides whether a caller may look at a team on a device. */
export interface Entrance {
  /** Whose device it is; null: nobody's. */
  readonly store: string | null;
  /** Null: there is no such team. */
  readonly private: boolean | null;
  readonly admitted: boolean;
}

/** What a statement about a team of a store on a device can read beside its own rows: the plain half of an `Entrance`. */
export type Doorway = Pick<Entrance, 'store' | 'private'>;

/** SQL of the columns of a `Doorway`. */
export const doorway = (instance: string, team: string, store: string): string => `
    (SELECT r.store_id FROM device_route r WHERE r.instance = ${instance}) AS store,
    (SELECT t.private FROM teams t WHERE t.store_id = ${store} AND t.id = ${team}) AS private`;

const admit = (found: Entrance | undefined): void => {
  if (found === undefined || found.private === null) throw refusals.teamNotFound();
  if (found.private && !found.admitted) throw refusals.forbiddenTeam();
};

/** The store, after the checks of design 2.1 in their order; throws the refusal of the first that fails. */
const admitted = (scope: Scope, found: Entrance | undefined): string => {
  const store = found?.store ?? undefined;
  // A caller without a tenant gets it from the device, so an unknown device is reported first there
  if (scope.storeId === undefined) requireStore(scope, store);
  admit(found);
  return requireStore(scope, store);
};

/** Answers "may this caller look at this team on this device, and whose store is it?" in one statement. */
export class AccessRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * The store of `instance`, after the checks of design 2.1 in their order: the team exists, the caller may read it, the
   * device is the store's. Throws the refusal of the first that fails. Nothing more is asked where the doorway decides: not for a
   * device that is gone, nor for a private team of others, of which a chat may be escalated to the caller.
   */
  async enter(
    scope: Scope,
    { instance, team }: { readonly instance: string; readonly team: string },
    { store = null, private: closed = null }: Partial<Doorway> = {},
  ): Promise<string> {
    const own = sightOf(scope)?.includes(team) ?? true;
    const decides = store !== null && (own || closed === false);
    if (decides) return admitted(scope, { store, private: closed, admitted: own });
    return admitted(scope, await this.lookup(scope, instance, team, scope.storeId));
  }

  /** The same for a team of a known store on whatever device. */
  async enterTeam(scope: Scope, storeId: string, team: string): Promise<void> {
    admit(await this.lookup(scope, '', team, storeId));
  }

  /** Refuses to give a chat, ticket or message to a user who is unknown or no longer active. Throws `user_not_found`. */
  async demandUser({ userId }: Scope, storeId: string, named: string | undefined): Promise<void> {
    if (named === undefined || named === userId) return;
    const [known] = await this.sql.prepared('access_at_work', AT_WORK, [storeId, named]);
    if (!known) throw refusals.userNotFound();
  }

  /** The teams whose chats the caller may read; undefined: all of the store. */
  async readable({ teams }: Scope, storeId: string): Promise<readonly string[] | undefined> {
    if (teams === undefined) return undefined;
    const open = await this.sql.prepared<{ id: string }>('access_open_teams', OPEN_TEAMS, [storeId]);
    return [...new Set([...teams, ...open.map(({ id }) => id)])];
  }

  private async lookup(
    scope: Scope,
    instance: string,
    team: string,
    storeId: string | undefined,
  ): Promise<Entrance | undefined> {
    const values = [instance, team, storeId ?? null, sightOf(scope)];
    return (await this.sql.prepared<Entrance>('access_lookup', LOOKUP, values))[0];
  }
}
