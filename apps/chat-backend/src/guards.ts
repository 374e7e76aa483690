import { ipAllowlist, jwtGuard, type TokenVerifier } from '@platform/auth';
import { publicGuard, type Guard, type GuardMap } from '@platform/http';
import type { Guards } from './endpoint';
import { adminScope, crmScope, scopeOf, type Scope } from './features/tenancy/scope';

export interface GuardOptions {
  readonly verifier: TokenVerifier;
  readonly allowedIps: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly production: boolean;
}

/** `_admin` and `_crm` are open by contract; the production overlay closes them by port and network policy. */
const openVariant = (scope: Scope): Guard<Scope> => ({ label: 'internal', authenticate: () => scope });

/** The contract's authentication table: a token on default routes, none for allowlisted addresses and for the variants. */
export const chatGuards = ({ verifier, allowedIps, trustedProxies, production }: GuardOptions): GuardMap<Guards> => {
  const allowlist = ipAllowlist(allowedIps, { setting: 'ALLOWED_IPS', production });
  const principal = jwtGuard({
    verifier,
    allowlist,
    trustedProxies: ipAllowlist(trustedProxies, { setting: 'TRUST_PROXY', production }),
  });
  return {
    public: publicGuard,
    jwt: { label: 'jwt', scheme: 'bearer', authenticate: async (request) => scopeOf(await principal(request)) },
    admin: openVariant(adminScope),
    crm: openVariant(crmScope),
  };
};

/** Whose rate limit and idempotency keys these are: one user of one store. */
export const callerKey = (caller: unknown): string | undefined => {
  const { storeId, userId } = (caller ?? {}) as Partial<Scope>;
  return storeId && userId ? `${storeId}/${userId}` : undefined;
};
