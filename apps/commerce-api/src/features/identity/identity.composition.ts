import type { ServiceTokens } from '@platform/auth';
import { commerceBareEnvelope } from '@platform/envelopes';
import { httpClient } from '@platform/http';
import type { Area, AreaParts } from '../../area';
import type { Mailer } from '../../clients/mail.client';
import { httpAccountsClient, httpSecondFactorClient } from '../../clients/store-auth.accounts';
import { httpIdentityClient } from '../../clients/store-auth.client';
import { httpCodesClient } from '../../clients/store-auth.codes';
import { askStoreAuth } from '../../clients/store-auth.peer';
import type { Config } from '../../config';
import type { Access } from './access/access';
import { People } from './access/people';
import { authEndpoints } from './auth/auth.endpoints';
import { AuthService } from './auth/auth.service';
import { sessionEndpoints } from './auth/session.endpoints';
import { CodeSender } from './codes/code.sender';
import { identityAbilities } from './identity.abilities';
import { logsEndpoints } from './logs/logs.endpoints';
import { LogsService } from './logs/logs.service';
import { MembershipsOfUser } from './profile/membership.repository';
import { profileEndpoints } from './profile/profile.endpoints';
import { ProfileService } from './profile/profile.service';
import { RecoveryService } from './registration/recovery.service';
import { registrationEndpoints } from './registration/registration.endpoints';
import { RegistrationService } from './registration/registration.service';

interface IdentityParts extends AreaParts {
  readonly tokens: ServiceTokens;
  readonly access: Access;
  readonly mailer: Mailer;
}

/** Sign-in, decided by store-auth; the caller's own account; who did what. */
export const composeIdentity = (
  { STORE_AUTH_URL, APP_ENV, PUBLIC_URL }: Config,
  { tokens, access, mailer, database, clock, cursors, queue }: IdentityParts,
): Area => {
  const storeAuth = httpClient('store-auth', STORE_AUTH_URL);
  const ask = askStoreAuth(storeAuth, tokens);
  const accounts = httpAccountsClient(ask);
  const people = new People(database, clock);
  const auth = new AuthService(httpIdentityClient(ask), people);
  const memberships = new MembershipsOfUser(database);
  const profile = new ProfileService({
    accounts,
    secondFactor: httpSecondFactorClient(ask),
    memberships,
    people,
    access,
  });
  const codes = httpCodesClient(ask);
  const sender = new CodeSender({ sql: database, codes, mailer, queue, clock, publicUrl: PUBLIC_URL });
  const registration = new RegistrationService({ database, accounts, people, codes: sender, queue, clock });
  const bare = commerceBareEnvelope({ production: APP_ENV === 'production' });
  return {
    endpoints: [
      ...authEndpoints(auth, bare),
      ...sessionEndpoints(auth, bare),
      ...registrationEndpoints(registration, new RecoveryService(sender, codes)),
      ...profileEndpoints(profile),
      ...logsEndpoints(new LogsService(database, cursors, accounts)),
    ],
    components: [storeAuth],
    abilities: identityAbilities,
    jobs: {
      // The same ids again change nothing
      'registration.resume': { effect: 'inside', run: ({ id }) => registration.resume(id) },
      'code.send': { effect: 'outside', run: (request) => sender.send(request) },
    },
  };
};
