import type { IdentityClient } from './store-auth.client';

export interface IdentitySubject {
  readonly client: IdentityClient;
  /** The owner of S1, without a second factor. */
  readonly user: { readonly email: string; readonly password: string };
}

const visitor = { ip: '203.0.113.7', userAgent: 'a browser' };
const aGrant = expect.objectContaining({ access_token: expect.any(String), expires_in: expect.any(Number) });

const check = ({ client, user }: IdentitySubject) => client.verifyCredentials(user.email, user.password, visitor);

const login = async (subject: IdentitySubject): Promise<string> => {
  const verdict = await check(subject);
  const grant = await subject.client.redeemChallenge(verdict.valid ? verdict.challenge : '');
  return grant?.access_token ?? '';
};

const passwords = (subjectOf: () => IdentitySubject): void => {
  it('store-auth gives a challenge for the right password, which leads to a login', async () => {
    const { client, user } = subjectOf();
    const verdict = await check(subjectOf());
    expect(verdict).toEqual({
      valid: true,
      otp_required: false,
      challenge: expect.any(String),
      user: expect.objectContaining({ user_id: expect.any(String), email: user.email, email_verified: true }),
      memberships: expect.arrayContaining([
        expect.objectContaining({ store_id: 'S1', role: 'owner', status: 'active', teams: expect.any(Array) }),
      ]),
    });
    expect(await client.redeemChallenge(verdict.valid ? verdict.challenge : '')).toEqual(aGrant);
  });

  it('store-auth answers a wrong password and an unknown address alike', async () => {
    const { client, user } = subjectOf();
    const wrong = await client.verifyCredentials(user.email, `${user.password}x`, visitor);
    const unknown = await client.verifyCredentials('nobody@toko-nusa.example', user.password, visitor);
    expect([wrong, unknown]).toEqual([{ valid: false }, { valid: false }]);
  });

  it('store-auth accepts no challenge that it did not issue', async () => {
    const { client } = subjectOf();
    const challenge = '0190b5a0-0000-7000-8000-00000000dead';
    expect(await client.redeemChallenge(challenge)).toBeUndefined();
    expect(await client.verifySecondFactor(challenge, '123456')).toBe('gone');
  });
};

/** What this service relies on at store-auth; runs on the fake here, and in tools/stack on the service itself. */
export const identityContract = (subjectOf: () => IdentitySubject): void => {
  passwords(subjectOf);

  it('store-auth continues a login until it is revoked, and revokes it idempotently', async () => {
    const { client } = subjectOf();
    const token = await login(subjectOf());
    expect(await client.refresh(token)).toEqual(aGrant);
    await client.revoke(token);
    await client.revoke(token);
    expect([await client.refresh(token), await client.switchStore(token, 'S1')]).toEqual([undefined, undefined]);
  });

  it('store-auth continues a login in a store of its user and in no other', async () => {
    const { client } = subjectOf();
    const token = await login(subjectOf());
    expect(await client.switchStore(token, 'S1')).toEqual(aGrant);
    expect(await client.switchStore(token, 'S9')).toBe('not_a_member');
  });

  it('store-auth continues no login for a text that is no token', async () => {
    expect(await subjectOf().client.refresh('nonsense')).toBeUndefined();
  });
};
