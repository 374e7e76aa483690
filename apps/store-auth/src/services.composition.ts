import { commerceStock } from './clients/commerce.client';
import type { Config } from './config';
import { ChallengeRepository } from './features/internal/challenge.repository';
import { GrantService } from './features/internal/grant.service';
import { SessionRenewal } from './features/internal/session.renewal';
import { IdentityService } from './features/internal/identity.service';
import { CredentialsService } from './features/login/credentials.service';
import { LoginPace } from './features/login/login-pace';
import { LoginService } from './features/login/login.service';
import { MembershipRepository } from './features/members/membership.repository';
import { MembershipService } from './features/members/membership.service';
import { OpsService } from './features/ops/ops.service';
import { PasswordService } from './features/passwords/password.service';
import { RefreshRepository } from './features/sessions/refresh.repository';
import { RefreshService } from './features/sessions/refresh.service';
import { SessionService } from './features/sessions/session.service';
import { ThrottleRepository } from './features/throttle/throttle.repository';
import { LoginThrottle } from './features/throttle/throttle.service';
import { MintService } from './features/tokens/mint.service';
import { ValidateService } from './features/tokens/validate.service';
import { SealedRepository } from './features/sealing/sealed.repository';
import { SealingService } from './features/sealing/sealing.service';
import { SecondFactor } from './features/second-factor/second-factor';
import { SecondFactorRepository } from './features/second-factor/second-factor.repository';
import { TwoFactorService } from './features/two-factor/two-factor.service';
import { UserChangesService } from './features/users/user-changes.service';
import { UsersService } from './features/users/users.service';
import { VerificationCodeRepository } from './features/verification/verification-code.repository';
import { VerificationService } from './features/verification/verification.service';
import { WebSessionRepository } from './features/web-sessions/web-session.repository';
import { WebSessions } from './features/web-sessions/web-session.service';
import type { Foundation } from './foundation.composition';

/** Logging in and staying logged in. */
const loginServices = (config: Config, parts: Foundation) => {
  const { database, users, clock, box } = parts;
  const limits = { account: config.THROTTLE_EMAIL, address: config.THROTTLE_IP };
  const throttle = new LoginThrottle(new ThrottleRepository(database), clock, limits);
  const secondFactors = new SecondFactorRepository();
  const secondFactor = new SecondFactor(secondFactors, box, clock);
  const pace = new LoginPace(database, parts.audit, clock, config.THROTTLE_LOGINS);
  const credentials = new CredentialsService({ ...parts, throttle, secondFactor, pace });
  const logins = new SessionService({ ...parts, accessTtl: config.ACCESS_TTL });
  const refreshes = new RefreshRepository();
  const refreshing = new RefreshService({ ...parts, logins, refreshes });
  return {
    throttle,
    secondFactors,
    secondFactor,
    credentials,
    logins,
    refreshing,
    login: new LoginService(database, credentials, users, logins),
    mint: new MintService({ ...parts, logins, refreshes: refreshing }),
    grants: new GrantService({ ...parts, pace, renewal: new SessionRenewal({ ...parts, logins, refreshes }) }),
  };
};

/** Managed by commerce-api: people, their passwords and memberships. */
const peopleServices = (parts: Foundation, logged: ReturnType<typeof loginServices>) => {
  const all = { ...parts, ...logged };
  const identity = new IdentityService({ ...all, challenges: new ChallengeRepository() });
  const memberships = new MembershipService({ ...all, memberships: new MembershipRepository() });
  const passwordChanges = new PasswordService(all);
  const codes = new VerificationCodeRepository();
  return {
    identity,
    memberships,
    passwordChanges,
    verification: new VerificationService({ ...all, codes, passwordChanges }),
    twoFactor: new TwoFactorService(all),
    userService: new UsersService({ ...all, identity, memberships, passwordChanges }),
    userChanges: new UserChangesService(all),
  };
};

/** All services of the app, built on the foundation. */
export const createServices = (config: Config, parts: Foundation) => {
  const { database, clock, issuer } = parts;
  const logged = loginServices(config, parts);
  const people = peopleServices(parts, logged);
  const sealing = new SealingService(new SealedRepository(database), parts.box, clock);
  const secure = config.APP_ENV === 'production';
  return {
    ...logged,
    ...people,
    browsers: new WebSessions(new WebSessionRepository(database), clock, { secure }),
    sessionLimit: config.THROTTLE_SESSION,
    sealing,
    validation: new ValidateService(database, parts.tokens, parts.previews, clock),
    stock: commerceStock(config.COMMERCE_URL, (storeId) => issuer.own('commerce-api', storeId).token),
    ops: new OpsService({ ...parts, ...logged, ...people, sealing }),
  };
};

export type Services = ReturnType<typeof createServices>;
