import { path } from '@platform/http';
import type { Ask } from './store-auth.peer';

/** Logins as they are at this moment, at store-auth (its design 2.4). */
export interface LoginsClient {
  /** Whether the token is good now. Throws `Unavailable` when store-auth is down. */
  isActive(token: string): Promise<boolean>;
}

export const httpLoginsClient = (ask: Ask): LoginsClient => ({
  isActive: async (token) =>
    (await ask<{ active: boolean }>({ path: path('/internal/tokens/introspect'), json: { token } })).active,
});
