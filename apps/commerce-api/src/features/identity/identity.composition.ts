import { Housekeeping } from '@platform/data';
import { commerceBareEnvelope } from '@platform/envelopes';
import type { Area, AreaParts } from '../../area';
import type { Mailer } from '../../clients/mail.client';
import type { Config } from '../../config';
import type { Siblings } from '../../siblings.composition';
import { openSubscriptions } from '../notifications/pushes/public';
import type { Access } from './access/access';
import { People } from './access/people';
import type { Pushes } from './access/pushes';
import { authEndpoints } from './auth/auth.endpoints';
import { AuthService } from './auth/auth.service';
import { sessionEndpoints } from './auth/session.endpoints';
import { CodeSender } from './codes/code.sender';
import { identityAbilities } from './identity.abilities';
import { logsEndpoints } from './logs/logs.endpoints';
import { LogsService } from './logs/logs.service';
import { landingPages } from './pages/landing.pages';
import { sessionPages } from './pages/session.pages';
import { signInPages } from './pages/sign-in.pages';
import { SignInService } from './pages/sign-in.service';
import { MembershipsOfUser } from './profile/membership.repository';
import { profilePages } from './profile/profile.pages';
import { profileEndpoints } from './profile/profile.endpoints';
import { ProfileService, type ProfileParts } from './profile/profile.service';
import { RecoveryService } from './registration/recovery.service';
import { registrationEndpoints } from './registration/registration.endpoints';
import { registrationPages } from './registration/registration.pages';
import { RegistrationService } from './registration/registration.service';

const DAY_MS = 86_400_000;
/** Anybody can begin one, and ask for a code: neither may fill the disk. A job is over after hours, a code after minutes. */
const REGISTRATIONS = { table: 'registration', column: 'updated_at', keepMs: 30 * DAY_MS };
const CODES = { table: 'code_request', column: 'expires_at', keepMs: DAY_MS };

interface IdentityParts extends AreaParts {
  readonly siblings: Siblings;
  readonly access: Access;
  readonly pushes: Pushes;
  readonly mailer: Mailer;
  readonly media: ProfileParts['media'];
}

/** Sign-in, decided by store-auth; the caller's own account; who did what; what store-auth is told of members. */
export const composeIdentity = (
  config: Config,
  { siblings, access, pushes, mailer, media, database, clock, logger, cursors, queue }: IdentityParts,
): Area => {
  const { APP_ENV, PUBLIC_URL, PAY_LINK_SECRET } = config;
  const { accounts, codes, secondFactor, identity } = siblings;
  const browsers = openSubscriptions(config, { clock, logins: siblings.logins, sql: database });
  const people = new People(database, clock, pushes);
  const auth = new AuthService(identity, people);
  const memberships = new MembershipsOfUser(database);
  const profile = new ProfileService({ accounts, secondFactor, memberships, people, access, media, clock });
  const secret = `codes of ${PAY_LINK_SECRET}`;
  const sender = new CodeSender({ sql: database, codes, mailer, queue, clock, secret, publicUrl: PUBLIC_URL });
  const registration = new RegistrationService({ database, accounts, people, pushes, codes: sender, queue, clock });
  const recovery = new RecoveryService(sender, codes);
  const signIn = new SignInService(identity, people);
  const bare = commerceBareEnvelope({ production: APP_ENV === 'production' });
  return {
    endpoints: [
      ...authEndpoints(auth, bare),
      ...sessionEndpoints(auth, bare),
      ...registrationEndpoints(registration, recovery),
      ...profileEndpoints(profile),
      ...logsEndpoints(new LogsService(database, cursors, accounts)),
    ],
    pages: [
      ...[landingPages, signInPages(signIn), sessionPages({ identity, people })],
      ...[registrationPages(registration, recovery, signIn), profilePages({ database, clock, profile, browsers })],
    ],
    components: [new Housekeeping(database, { clock, logger, expired: [REGISTRATIONS, CODES] })],
    abilities: identityAbilities,
    jobs: {
      // The same ids again change nothing
      'registration.resume': { effect: 'inside', run: ({ id }) => registration.resume(id) },
      // A push that came late is ignored there
      'membership.push': { effect: 'inside', run: (membership) => pushes.pushMember(membership) },
      'store.push': { effect: 'inside', run: (store) => pushes.pushStore(store) },
      'code.send': { effect: 'outside', run: (request) => sender.send(request) },
    },
  };
};
