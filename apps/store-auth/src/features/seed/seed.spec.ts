import { testDatabase, type TestDatabase } from '@platform/testing';
import { AGENT, OWNER, PASSWORD, shop, startApp, type RunningApp } from '../../app.fixture';
import { migrations, SCHEMA } from '../../data-source';

let database: TestDatabase;
let app: RunningApp;

beforeAll(async () => {
  database = await testDatabase({ schema: SCHEMA, migrations });
  app = await startApp(database.url);
});
afterAll(async () => {
  await app.stop();
  await database.stop?.();
});

const rows = () =>
  Promise.all([
    database.query('SELECT * FROM stores'),
    database.query('SELECT id, email, nama, password_hash, status FROM users ORDER BY id'),
    database.query('SELECT store_id, user_id, role, teams, status FROM memberships ORDER BY user_id'),
  ]);

describe('the seed', () => {
  it('puts store, owner and agents in place, with hashed passwords', async () => {
    await app.seed({ ...shop, team: { id: '3', nama: 'Customer Service' }, products: [] });
    const hashed = expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) as string;
    expect(await rows()).toEqual([
      [{ store_id: 'S1', nama: 'Toko Nusa', status: 'open' }],
      [
        { id: OWNER.user_id, email: OWNER.email, nama: 'Sari', password_hash: hashed, status: 'active' },
        { id: AGENT.user_id, email: AGENT.email, nama: 'Rina', password_hash: hashed, status: 'active' },
      ],
      [
        { store_id: 'S1', user_id: OWNER.user_id, role: 'owner', teams: [], status: 'active' },
        { store_id: 'S1', user_id: AGENT.user_id, role: 'agent', teams: ['3'], status: 'active' },
      ],
    ]);
  });

  it('changes nothing when it is repeated, and what differs when it differs', async () => {
    await app.seed();
    const everything = () =>
      Promise.all(
        ['stores', 'users', 'memberships'].map((table) => database.query(`SELECT * FROM ${table} ORDER BY 1, 2`)),
      );
    const before = await everything();
    await app.seed();
    expect(await everything()).toEqual(before);
    await app.seed({ ...shop, agents: [{ ...shop.agents[0], password: 'another password', teams: ['4'] }] });
    const login = (password: string) => app.post('/api/login', { email: AGENT.email, password });
    expect([(await login('another password')).status, (await login(PASSWORD)).status]).toEqual([200, 401]);
  });

  it('names what is wrong and shows no value', async () => {
    const broken = { ...shop, owner: { ...shop.owner, email: 'nonsense', password: 'short' } };
    await expect(app.seed(broken)).rejects.toThrow(
      'the seed is not usable: owner.email must be a valid email address; owner.password must be at least 8 characters in length',
    );
  });
});
