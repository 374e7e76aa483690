import type { Endpoint } from '@platform/http';
import { authEventEndpoints } from './features/audit/auth-events.endpoints';
import { eventEndpoints } from './features/events/events.endpoints';
import { identityEndpoints } from './features/internal/identity.endpoints';
import { introspectEndpoints } from './features/internal/introspect.endpoints';
import { revokeEndpoints } from './features/internal/revoke.endpoints';
import { keyEndpoints } from './features/keys/keys.endpoints';
import { loginEndpoints } from './features/login/login.endpoints';
import { logoutEndpoints } from './features/login/logout.endpoints';
import { memberEndpoints } from './features/members/members.endpoints';
import { passwordEndpoints } from './features/password-change/password.endpoints';
import { serviceTokenEndpoints } from './features/services/service-tokens.endpoints';
import { stockEndpoints } from './features/stock/stock.endpoints';
import { checkEndpoints } from './features/tokens/check.endpoints';
import { mintEndpoints } from './features/tokens/mint.endpoints';
import { validateEndpoints } from './features/tokens/validate.endpoints';
import { twoFactorEndpoints } from './features/two-factor/two-factor.endpoints';
import { userEndpoints } from './features/users/users.endpoints';
import { verificationEndpoints } from './features/verification/verification.endpoints';
import { webSessionEndpoints } from './features/web-sessions/web-session.endpoints';
import type { Foundation } from './foundation.composition';
import type { Services } from './services.composition';

/** Every route, the hot ones first. */
export const createEndpoints = (parts: Foundation, services: Services): Endpoint[] => {
  const all = { ...parts, ...services };
  return [
    ...checkEndpoints(all.tokens),
    ...validateEndpoints(all.validation, all.browsers),
    ...loginEndpoints(all.login, all.browsers),
    ...logoutEndpoints(all),
    ...mintEndpoints(all.mint, all.refreshing, all.browsers),
    ...webSessionEndpoints(all.browsers, all.sessionLimit),
    ...stockEndpoints(all.stock),
    ...keyEndpoints(all.ring),
    ...serviceTokenEndpoints(all.issuer),
    ...identityEndpoints(all.identity, all.grants),
    ...introspectEndpoints(all.tokens),
    ...revokeEndpoints(all),
    ...eventEndpoints(all.events),
    ...authEventEndpoints(all),
    ...userEndpoints(all.userService, all.userChanges, all.users),
    ...passwordEndpoints(all),
    ...twoFactorEndpoints(all.twoFactor),
    ...verificationEndpoints(all.verification),
    ...memberEndpoints(all.memberships),
  ];
};
