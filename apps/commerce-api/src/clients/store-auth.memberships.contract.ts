import { uuidv7 } from '@platform/runtime';
import type { AccountsClient } from './store-auth.accounts';
import type { IdentityClient } from './store-auth.client';
import type { MembershipsClient } from './store-auth.memberships';

export interface MembershipsSubject {
  readonly accounts: AccountsClient;
  readonly identity: IdentityClient;
  readonly memberships: MembershipsClient;
}

const visitor = { ip: '203.0.113.7' };
const password = 'a good passphrase';
/** Minutes after some hour, as a push carries it. */
const at = (minute: number): string => `2026-03-01T08:${String(minute).padStart(2, '0')}:00.000Z`;
const agent = (minute: number) => ({ role: 'agent', teams: ['3'], status: 'active', updated_at: at(minute) }) as const;

/** A new user without a store, and what store-auth says of their membership in one. */
const newcomer = async ({ accounts, identity }: MembershipsSubject) => {
  const [userId, storeId] = [uuidv7(), uuidv7()];
  const email = `${userId}@toko-nusa.example`;
  await accounts.create({
    user_id: userId,
    email,
    password,
    nama: 'Budi',
    store: { store_id: uuidv7(), nama: 'Toko' },
  });
  const verdict = () => identity.verifyCredentials(email, password, visitor);
  const membership = async () => {
    const answer = await verdict();
    return answer.valid ? answer.memberships.find(({ store_id: id }) => id === storeId) : undefined;
  };
  const login = async () => {
    const answer = await verdict();
    return answer.valid ? identity.redeemChallenge(answer.challenge, { storeId }) : undefined;
  };
  return { userId, storeId, email, membership, login };
};

const addresses = (subjectOf: () => MembershipsSubject): void => {
  it('store-auth finds a user by the address, and believes that it was proved', async () => {
    const subject = subjectOf();
    const { userId, email } = await newcomer(subject);
    const found = () => subject.accounts.findByEmail(email);
    expect(await found()).toEqual(expect.objectContaining({ user_id: userId, email_verified: false }));
    await subject.accounts.change(userId, { email_verified: true });
    expect(await found()).toEqual(expect.objectContaining({ user_id: userId, email_verified: true }));
    expect(await subject.accounts.findByEmail('nobody@toko-nusa.example')).toBeUndefined();
  });
};

/** What this service relies on at store-auth about members; runs on the fake here, and in tools/stack on the service itself. */
export const membershipsContract = (subjectOf: () => MembershipsSubject): void => {
  it('store-auth lets a user into the store of a membership from its push on, and not before', async () => {
    const subject = subjectOf();
    const { storeId, userId, membership, login } = await newcomer(subject);
    expect([await membership(), await login()]).toEqual([undefined, undefined]);
    await subject.memberships.put(storeId, userId, agent(1));
    await subject.memberships.put(storeId, userId, agent(1));
    const { updated_at: _, ...shown } = agent(1);
    expect(await membership()).toEqual(expect.objectContaining({ store_id: storeId, ...shown }));
    expect(await login()).toEqual(expect.objectContaining({ access_token: expect.any(String) }));
  });

  it('store-auth ignores a push that is older than what it has, also one of a member who was removed since', async () => {
    const subject = subjectOf();
    const { storeId, userId, membership } = await newcomer(subject);
    const { memberships } = subject;
    await memberships.put(storeId, userId, { ...agent(2), role: 'supervisor' });
    await memberships.put(storeId, userId, agent(1));
    await memberships.remove(storeId, userId, at(1));
    expect(await membership()).toEqual(expect.objectContaining({ role: 'supervisor', status: 'active' }));
    await memberships.remove(storeId, userId, at(4));
    await memberships.put(storeId, userId, agent(3));
    expect(await membership()).toBeUndefined();
    await memberships.put(storeId, userId, agent(5));
    expect(await membership()).toEqual(expect.objectContaining({ role: 'agent', status: 'active' }));
  });

  it('store-auth lets nobody into a store where they are disabled', async () => {
    const subject = subjectOf();
    const { storeId, userId, login } = await newcomer(subject);
    await subject.memberships.put(storeId, userId, { ...agent(1), status: 'disabled' });
    expect(await login()).toBeUndefined();
  });

  addresses(subjectOf);
};
