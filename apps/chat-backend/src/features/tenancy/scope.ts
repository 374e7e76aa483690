import type { Principal } from '@platform/auth';
import { refusals } from './refusals';

/**
 * What one caller may see and as whom it acts (design 3.7, 3.8). Every read and write takes it; nothing in this service
 * looks at tokens or routes again.
 */
export interface Scope {
  readonly kind: 'user' | 'bot' | 'service' | 'admin' | 'crm';
  /** Undefined: the tenant follows from the device or the public id that the call names. */
  readonly storeId: string | undefined;
  /** Teams whose chats are visible; undefined: all of the store. */
  readonly teams: readonly string[] | undefined;
  /** Supervisor, admin, owner, and callers that act for the whole store: may decide over colleagues' chats. */
  readonly supervises: boolean;
  /** Who acts: a user id, or undefined for a caller without one. */
  readonly userId: string | undefined;
  readonly name: string;
}

const SUPERVISES = new Set(['owner', 'admin', 'supervisor', 'service']);
const EVERY_TEAM = new Set([...SUPERVISES, 'bot']);

/** The scope of a default route: claims of the token, or an allowlisted address acting as a service. */
export const scopeOf = (principal: Principal): Scope => {
  if (principal.kind === 'address')
    return {
      kind: 'service',
      storeId: undefined,
      teams: undefined,
      supervises: true,
      userId: undefined,
      name: principal.address,
    };
  const { role, store_id: store, teams, sub } = principal.claims;
  const kind = role === 'bot' || role === 'service' ? role : 'user';
  return {
    kind,
    storeId: store === '' ? undefined : store,
    teams: EVERY_TEAM.has(role) ? undefined : teams,
    supervises: SUPERVISES.has(role),
    userId: kind === 'user' ? sub : undefined,
    name: sub,
  };
};

export const adminScope: Scope = {
  kind: 'admin',
  storeId: undefined,
  teams: undefined,
  supervises: true,
  userId: undefined,
  name: 'admin',
};
/** 1:1 customer chats of any team; never groups. */
export const crmScope: Scope = { ...adminScope, kind: 'crm', name: 'crm' };

export const seesGroups = ({ kind }: Scope): boolean => kind !== 'crm';

/** For a caller of this store, nothing of another one exists. */
export const requireStore = (
  scope: Scope,
  storeId: string | undefined,
  missing: () => Error = refusals.deviceNotFound,
): string => {
  if (storeId === undefined || (scope.storeId !== undefined && scope.storeId !== storeId)) throw missing();
  return storeId;
};

/** SQL: the team that chats of `wanted` go to: itself, or when the store has none of that name its first of kind cs; null without one. */
export const homeTeam = (store: string, wanted: string): string =>
  `coalesce((SELECT home.id FROM teams home WHERE home.store_id = ${store} AND home.id = ${wanted}),
    (SELECT home.id FROM teams home WHERE home.store_id = ${store} AND home.kind = 'cs' ORDER BY home.id LIMIT 1))`;

/** The devices of the store for `=`, known before the table is looked at: joined, they hide from the planner that its whole key is known. */
export const anyDevice = (store: string): string =>
  `ANY (ARRAY(SELECT d.instance FROM devices d WHERE d.store_id = ${store}))`;

const PERSON = '@';

/** What a caller sees chats by: its teams and itself; null: everything of the store. The value of `$sight` below. */
export const sightOf = ({ teams, userId }: Pick<Scope, 'teams' | 'userId'>): readonly string[] | null =>
  teams === undefined ? null : [...teams, ...(userId === undefined ? [] : [PERSON + userId])];

/** SQL condition: the user of column `user` is the one of `$sight`. */
export const isOf = (user: string, sight: string): string => `'${PERSON}' || ${user} = ANY (${sight}::text[])`;

/** SQL condition: the escalation `e` asks somebody of `$sight`. */
export const asks = (e: string, sight: string): string =>
  `(${e}.to_team = ANY (${sight}::text[]) OR ${isOf(`${e}.to_user`, sight)})`;

/**
 * SQL condition: `$sight` may answer chat `c`: it is of one of its teams, or escalated to it (design 3.7). OFFSET 0 keeps the
 * planner from reading the escalations of all stores into a hash table instead of looking for those of the chat.
 */
export const answerable = (c: string, sight: string): string =>
  `(${sight}::text[] IS NULL OR ${c}.team_id = ANY (${sight}::text[])
    OR EXISTS (SELECT 1 FROM escalations e WHERE e.store_id = ${c}.store_id AND e.conversation_id = ${c}.id AND ${asks('e', sight)} OFFSET 0))`;

/**
 * SQL condition: chat `c` is visible to `$sight` (null: all), and a group only when `$groups`. Beyond what it
 * may answer, open teams are readable by the whole store.
 */
export const visible = (c: string, sight: string, groups: string): string =>
  `(${answerable(c, sight)}
    OR EXISTS (SELECT 1 FROM teams t WHERE t.store_id = ${c}.store_id AND t.id = ${c}.team_id AND NOT t.private))
   AND (${groups}::boolean OR NOT ${c}.is_group)`;
