import type { Endpoint } from '@platform/http';
import { commerceStock } from './clients/commerce.client';
import type { Config } from './config';
import { eventEndpoints } from './features/events/events.endpoints';
import { ChallengeRepository } from './features/internal/challenge.repository';
import { identityEndpoints } from './features/internal/identity.endpoints';
import { IdentityService } from './features/internal/identity.service';
import { introspectEndpoints } from './features/internal/introspect.endpoints';
import { keyEndpoints } from './features/keys/keys.endpoints';
import { CredentialsService } from './features/login/credentials.service';
import { loginEndpoints } from './features/login/login.endpoints';
import { LoginService } from './features/login/login.service';
import { logoutEndpoints } from './features/login/logout.endpoints';
import { serviceTokenEndpoints } from './features/services/service-tokens.endpoints';
import { RefreshRepository } from './features/sessions/refresh.repository';
import { RefreshService } from './features/sessions/refresh.service';
import { SessionService } from './features/sessions/session.service';
import { stockEndpoints } from './features/stock/stock.endpoints';
import { ThrottleRepository } from './features/throttle/throttle.repository';
import { LoginThrottle } from './features/throttle/throttle.service';
import { checkEndpoints } from './features/tokens/check.endpoints';
import { mintEndpoints } from './features/tokens/mint.endpoints';
import { MintService } from './features/tokens/mint.service';
import { validateEndpoints } from './features/tokens/validate.endpoints';
import { ValidateService } from './features/tokens/validate.service';
import { WebSessionRepository } from './features/web-sessions/web-session.repository';
import { webSessionEndpoints } from './features/web-sessions/web-session.endpoints';
import { WebSessions } from './features/web-sessions/web-session.service';
import type { Foundation } from './foundation';

const createServices = (config: Config, parts: Foundation) => {
  const { database, users, clock, issuer } = parts;
  const limits = { account: config.THROTTLE_EMAIL, address: config.THROTTLE_IP };
  const throttle = new LoginThrottle(new ThrottleRepository(database), clock, limits);
  const credentials = new CredentialsService({ ...parts, throttle });
  const logins = new SessionService({ ...parts, accessTtl: config.ACCESS_TTL });
  const refreshes = new RefreshService({ ...parts, logins, refreshes: new RefreshRepository() });
  const secure = config.APP_ENV === 'production';
  return {
    logins,
    refreshes,
    browsers: new WebSessions(new WebSessionRepository(database), clock, { secure }),
    login: new LoginService(database, credentials, users, logins),
    identity: new IdentityService({ ...parts, credentials, challenges: new ChallengeRepository(), logins }),
    validation: new ValidateService(database, parts.tokens, parts.previews, clock),
    mint: new MintService({ ...parts, logins, refreshes }),
    stock: commerceStock(config.COMMERCE_URL, (storeId) => issuer.own('commerce-api', storeId).token),
  };
};

/** Every route, the hot ones first, and what has to be started and stopped for them. */
export const createEndpoints = (config: Config, parts: Foundation) => {
  const { login, logins, refreshes, browsers, identity, validation, mint, stock } = createServices(config, parts);
  const endpoints: Endpoint[] = [
    ...checkEndpoints(parts.tokens),
    ...validateEndpoints(validation, browsers),
    ...loginEndpoints(login, browsers),
    ...logoutEndpoints({ ...parts, logins }),
    ...mintEndpoints(mint, refreshes, browsers),
    ...webSessionEndpoints(browsers),
    ...stockEndpoints(stock),
    ...keyEndpoints(parts.ring),
    ...serviceTokenEndpoints(parts.issuer),
    ...identityEndpoints(identity),
    ...introspectEndpoints(parts.tokens),
    ...eventEndpoints(parts.events),
  ];
  return { endpoints, stock };
};
