import type { Scope } from '../tenancy/public';
import type { Actor } from './transition';

/**
 * As whom a caller changes a chat. People are themselves; callers without a login name somebody in `user_id`, or stay the
 * system, admin or crm; a bot is nobody (design 3.7, 3.8).
 */
export const actorOf = (scope: Scope, named?: string): Actor => {
  const { kind, supervises, teams } = scope;
  const userId = (kind === 'user' ? scope.userId : kind === 'bot' ? undefined : (named ?? scope.userId)) ?? null;
  const type = kind === 'service' ? (userId === null ? 'system' : 'user') : kind;
  return { type, userId, supervises, teams };
};

/** Timers act for the whole store. */
export const systemActor: Actor = { type: 'system', userId: null, supervises: true, teams: undefined };
