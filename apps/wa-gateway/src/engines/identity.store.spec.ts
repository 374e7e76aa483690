import { testDatabase, type TestDatabase } from '@platform/testing';
import { migrations, schema } from '../data-source';
import { People } from './baileys/people';
import { IdentityStore } from './identity.store';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase({ schema, migrations });
});
afterAll(() => database.stop?.());

const [NUMBER, BEFORE, NOW, BUSINESS] = ['628110000001@s.whatsapp.net', '711@lid', '712@lid', 'ID.711@bsuid'] as const;

const numbersOf = (store: IdentityStore, hidden: readonly string[]) =>
  Promise.all(hidden.map(async (one) => (await store.numberOf(one))?.pn));

describe('a number that somebody else has now', () => {
  it('leaves the hidden id of before, and no business-scoped one', async () => {
    const store = new IdentityStore('a', database);
    for (const hidden of [BEFORE, BUSINESS, NOW]) await store.learn(hidden, NUMBER);
    for (const known of [store, new IdentityStore('a', database)])
      expect(await numbersOf(known, [BEFORE, BUSINESS, NOW])).toEqual([undefined, NUMBER, NUMBER]);
  });

  it('leaves the hidden id of before also where both are known from before anybody looked for that', async () => {
    const both = `INSERT INTO chat_identity (instance_id, lid, pn) SELECT 'c', lid, $1 FROM unnest($2::text[]) AS lid`;
    await database.query(both, [NUMBER, [BEFORE, NOW]]);
    const store = new IdentityStore('c', database);
    expect([...(await numbersOf(store, [NOW])), await store.learn(NOW, NUMBER)]).toEqual([NUMBER, false]);
    expect(await numbersOf(store, [BEFORE, NOW])).toEqual([undefined, NUMBER]);
  });

  it('is not told of the hidden id of before, though the library still maps it', async () => {
    const identities = new IdentityStore('b', database);
    const people = new People({ identities, mapped: async () => NUMBER, news: () => undefined });
    expect(await people.person(BEFORE)).toEqual({ jid: NUMBER, lid: BEFORE, lidSince: 0 });
    await people.person(NUMBER, NOW);
    expect(await people.person(BEFORE)).toEqual({ jid: BEFORE, lid: BEFORE });
    expect(await people.person(NOW)).toMatchObject({ jid: NUMBER, lid: NOW });
  });
});

it('whose a hidden id is comes with the time when it was told, unless both are named now', async () => {
  const mapped = async () => null;
  const of = () => new People({ identities: new IdentityStore('d', database), mapped, news: () => undefined });
  const people = of();
  expect(await people.person(BEFORE, NUMBER, 1_795_157_100)).toEqual({ jid: NUMBER, lid: BEFORE });
  for (const device of [people, of()])
    expect(await device.person(BEFORE)).toEqual({ jid: NUMBER, lid: BEFORE, lidSince: 1_795_157_100 });
});

it.each([8.64e18, Number.NaN, -1e18])('a time that is none (%s) keeps no message of whom it tells away', async (at) => {
  const identities = new IdentityStore(`e${at}`, database);
  const people = new People({ identities, mapped: async () => null, news: () => undefined });
  expect(await people.person(BEFORE, NUMBER, at)).toEqual({ jid: NUMBER, lid: BEFORE });
  const now = Math.ceil(Date.now() / 1000);
  expect((await people.person(BEFORE)).lidSince).toBeLessThanOrEqual(now);
});

describe('in a process whose clock is an hour off', () => {
  afterEach(() => jest.restoreAllMocks());
  const HOUR = 3_600;

  it.each([
    ['behind', -HOUR],
    ['ahead', HOUR],
  ])(
    '%s, whose a hidden id is was told when it was told, and by the clock of all where nobody says',
    async (_, off) => {
      const identities = new IdentityStore(`off ${off}`, database);
      const people = new People({ identities, mapped: async () => null, news: () => undefined });
      const now = Date.now();
      jest.spyOn(Date, 'now').mockReturnValue(now + off * 1_000);
      const told = Math.floor(now / 1_000) - 60;
      await people.person(BEFORE, NUMBER, told);
      await people.person(NOW, '628110000002@s.whatsapp.net');
      const [since = 0, unsaid = 0] = [(await people.person(BEFORE)).lidSince, (await people.person(NOW)).lidSince];
      expect([since, Math.abs(unsaid - told) < HOUR / 2]).toEqual([told, true]);
    },
  );
});
