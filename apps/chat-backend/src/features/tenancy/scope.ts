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
  /** Who acts: a user id, or undefined for a caller without one. */
  readonly userId: string | undefined;
  readonly name: string;
}

const EVERY_TEAM = new Set(['owner', 'admin', 'supervisor', 'bot', 'service']);

/** The scope of a default route: claims of the token, or an allowlisted address acting as a service. */
export const scopeOf = (principal: Principal): Scope => {
  if (principal.kind === 'address')
    return { kind: 'service', storeId: undefined, teams: undefined, userId: undefined, name: principal.address };
  const { role, store_id: store, teams, sub } = principal.claims;
  const kind = role === 'bot' || role === 'service' ? role : 'user';
  return {
    kind,
    storeId: store === '' ? undefined : store,
    teams: EVERY_TEAM.has(role) ? undefined : teams,
    userId: kind === 'user' ? sub : undefined,
    name: sub,
  };
};

export const adminScope: Scope = {
  kind: 'admin',
  storeId: undefined,
  teams: undefined,
  userId: undefined,
  name: 'admin',
};
/** 1:1 customer chats of any team; never groups. */
export const crmScope: Scope = { kind: 'crm', storeId: undefined, teams: undefined, userId: undefined, name: 'crm' };

export const seesGroups = ({ kind }: Scope): boolean => kind !== 'crm';

/** Another store's things do not exist for a caller of this one. */
export const requireStore = (
  scope: Scope,
  storeId: string | undefined,
  missing: () => Error = refusals.deviceNotFound,
): string => {
  if (storeId === undefined || (scope.storeId !== undefined && scope.storeId !== storeId)) throw missing();
  return storeId;
};

/** SQL condition: chat `c` is visible to teams `$teams` (null: all), and a group only when `$groups`. Open teams are readable by the whole store. */
export const visible = (c: string, teams: string, groups: string): string =>
  `(${teams}::text[] IS NULL OR ${c}.team_id = ANY (${teams}::text[])
    OR EXISTS (SELECT 1 FROM teams t WHERE t.store_id = ${c}.store_id AND t.id = ${c}.team_id AND NOT t.private))
   AND (${groups}::boolean OR NOT ${c}.is_group)`;
