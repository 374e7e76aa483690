import { idOf, type FakeUser } from './store-auth.accounts.fake';

/** What the fake was told of a store or a member; the last one that was not late. */
export interface Told {
  readonly removed?: true;
  readonly updated_at?: string;
  readonly status?: string;
}

const data = (value: object) => ({ status: 'success', message: 'ok', data: value });

/** Keeps what it is told of members unless it is older than what it has, as store-auth does. */
export const fakeMembers = (pushed: Map<string, Told>) => {
  const keep = (key: string, told: Told): object => {
    pushed.set(key, told);
    return data({ applied: true });
  };
  return {
    store: keep,
    member: (key: string, told: Told): object => {
      const { updated_at: before = '' } = pushed.get(key) ?? {};
      return before > (told.updated_at ?? '') ? data({ applied: false }) : keep(key, told);
    },
  };
};

/** The stores of a user: those that the test gave, of which they are the owner, and those that were told. */
export const membershipsOf = (pushed: ReadonlyMap<string, Told>, email: string, user: FakeUser) => {
  const userId = idOf(email, user);
  const told = [...pushed].flatMap(([key, member]) => {
    const [store_id = '', of] = key.split(' ');
    return of === userId ? [{ store_id, ...member }] : [];
  });
  const given = (user.stores ?? ['S1']).filter((id) => told.every(({ store_id }) => store_id !== id));
  const owned = given.map((store_id) => ({ store_id, role: 'owner', teams: [], status: 'active' }));
  return [...owned, ...told.filter(({ removed }) => !removed)];
};
