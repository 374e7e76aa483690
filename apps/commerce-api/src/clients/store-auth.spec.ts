import { httpClient } from '@platform/http';
import { systemClock } from '@platform/runtime';
import { testSigningKey, useForEach } from '@platform/testing';
import { httpAccountsClient, httpSecondFactorClient } from './store-auth.accounts';
import { accountsContract } from './store-auth.accounts.contract';
import { httpIdentityClient } from './store-auth.client';
import { identityContract } from './store-auth.contract';
import { httpCodesClient } from './store-auth.codes';
import { codesContract } from './store-auth.codes.contract';
import { startFakeStoreAuth } from './store-auth.fake';
import { httpLoginsClient } from './store-auth.logins';
import { loginsContract } from './store-auth.logins.contract';
import { httpMembershipsClient } from './store-auth.memberships';
import { membershipsContract } from './store-auth.memberships.contract';
import { askStoreAuth } from './store-auth.peer';

const user = { email: 'owner@toko-nusa.example', password: 'a good passphrase' };
const fake = useForEach(async () => startFakeStoreAuth(systemClock, await testSigningKey()));
const http = useForEach(() => httpClient('store-auth', fake.url));
const tokens = { name: 'tokens', for: async () => fake.serviceToken('commerce-api', '', 'store-auth') };

beforeEach(() => {
  fake.users.set(user.email, { password: user.password });
});

describe('the fake of store-auth', () => {
  const ask = () => askStoreAuth(http, tokens);
  identityContract(() => ({ user, client: httpIdentityClient(ask()) }));
  codesContract(() => ({
    ...{ codes: httpCodesClient(ask()), email: user.email },
    accounts: httpAccountsClient(ask()),
  }));
  membershipsContract(() => ({
    accounts: httpAccountsClient(ask()),
    identity: httpIdentityClient(ask()),
    memberships: httpMembershipsClient(ask()),
  }));
  loginsContract(() => ({
    ...{
      user,
      client: httpIdentityClient(ask()),
      accounts: httpAccountsClient(ask()),
      logins: httpLoginsClient(ask()),
    },
  }));
  accountsContract(() => ({ accounts: httpAccountsClient(ask()), secondFactor: httpSecondFactorClient(ask()) }));
});
