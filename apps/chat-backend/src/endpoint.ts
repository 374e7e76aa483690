import { endpointsOf } from '@platform/http';
import type { Scope } from './features/tenancy/scope';

/** Guards of this service and what they tell a handler; `admin` and `crm` are the guards of the variants. */
export interface Guards {
  public: undefined;
  jwt: Scope;
  admin: Scope;
  crm: Scope;
  service: Scope;
}

export const endpoint = endpointsOf<Guards>();

/** Default route, `_admin` and `_crm`: marked "yes" in the contract's table. */
export const everyVariant = ['admin', 'crm'] as const;
