import type { AccountsClient } from './store-auth.accounts';
import type { IdentityClient } from './store-auth.client';
import type { LoginsClient } from './store-auth.logins';

interface Subject {
  readonly logins: LoginsClient;
  readonly client: IdentityClient;
  readonly accounts: AccountsClient;
  /** Somebody without a second factor. */
  readonly user: { readonly email: string; readonly password: string };
}

const claimsOf = (token: string): { readonly sub: string; readonly sid: string } =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string; sid: string };

/** The token of a browser's new login. */
const signIn = async ({ client, user }: Subject): Promise<string> => {
  const verdict = await client.verifyCredentials(user.email, user.password, { ip: '203.0.113.7' });
  return (await client.redeemChallenge(verdict.valid ? verdict.challenge : '', { kind: 'web' }))?.access_token ?? '';
};

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

  it('store-auth ends all logins of a user but one, however often it is asked', async () => {
    const { logins, accounts } = subjectOf();
    const [mine, other] = [await signIn(subjectOf()), await signIn(subjectOf())];
    const { sub, sid } = claimsOf(mine);
    await accounts.endOtherLogins(sub, sid);
    await accounts.endOtherLogins(sub, sid);
    expect([await logins.isActive(mine), await logins.isActive(other)]).toEqual([true, false]);
    const later = await signIn(subjectOf());
    expect(await logins.isActive(later)).toBe(true);
  });
};
