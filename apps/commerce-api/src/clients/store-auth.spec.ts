import { httpClient, type HttpClient } from '@platform/http';
import { fixedClock } from '@platform/runtime';
import { httpIdentityClient } from './store-auth.client';
import { identityContract, type IdentitySubject } from './store-auth.contract';
import { startFakeStoreAuth, type FakeStoreAuth } from './store-auth.fake';

let fake: FakeStoreAuth;
let http: HttpClient;
let subject: IdentitySubject;

beforeEach(async () => {
  fake = await startFakeStoreAuth(fixedClock(new Date()));
  http = httpClient('store-auth', fake.url);
  const user = { email: 'owner@toko-nusa.example', password: 'a good passphrase' };
  fake.users.set(user.email, { password: user.password });
  const tokens = { name: 'tokens', for: async () => fake.serviceToken('commerce-api', '', 'store-auth') };
  subject = { user, client: httpIdentityClient(http, tokens) };
});
afterEach(async () => {
  await http.stop?.();
  await fake.stop();
});

describe('the fake', () => identityContract(() => subject));
