import type { IdentityClient } from './store-auth.client';
import type { LoginsClient } from './store-auth.logins';

interface Subject {
  readonly logins: LoginsClient;
  readonly client: IdentityClient;
  /** Somebody without a second factor. */
  readonly user: { readonly email: string; readonly password: string };
}

/** What this service relies on at store-auth about logins; runs on the fake here, and in tools/stack on the service itself. */
export const loginsContract = (subjectOf: () => Subject): void => {
  it('store-auth says of a token whether it is good at this moment', async () => {
    const { logins, client, user } = subjectOf();
    const verdict = await client.verifyCredentials(user.email, user.password, { ip: '203.0.113.7' });
    const grant = await client.redeemChallenge(verdict.valid ? verdict.challenge : '');
    const token = grant?.access_token ?? '';
    expect(await logins.isActive(token)).toBe(true);
    await client.revoke(token);
    expect(await logins.isActive(token)).toBe(false);
    expect(await logins.isActive('no.such.token')).toBe(false);
  });
};
