import type { UserRole } from '@platform/contracts';
import { path } from '@platform/http';
import type { Ask } from './store-auth.peer';

export interface PushedMembership {
  readonly role: UserRole;
  readonly teams: readonly string[];
  readonly status: 'active' | 'disabled';
  /** ISO 8601; store-auth ignores what is older than what it has. */
  readonly updated_at: string;
}

/** What this service tells store-auth of stores and their members, which it decides (its design 2.4). Repeats change nothing. */
export interface MembershipsClient {
  put(storeId: string, userId: string, membership: PushedMembership): Promise<void>;
  remove(storeId: string, userId: string, updatedAt: string): Promise<void>;
  putStore(storeId: string, store: { nama: string; status: string }): Promise<void>;
}

export const httpMembershipsClient = (ask: Ask): MembershipsClient => {
  const at = (storeId: string, userId: string) =>
    path('/internal/memberships/{store_id}/{user_id}', { store_id: storeId, user_id: userId });
  return {
    put: async (storeId, userId, json) => void (await ask({ method: 'PUT', path: at(storeId, userId), json })),
    remove: async (storeId, userId, updatedAt) =>
      void (await ask({ method: 'DELETE', path: at(storeId, userId), json: { updated_at: updatedAt } })),
    putStore: (storeId, json) =>
      ask({ method: 'PUT', path: path('/internal/stores/{store_id}', { store_id: storeId }), json, silent: true }),
  };
};
