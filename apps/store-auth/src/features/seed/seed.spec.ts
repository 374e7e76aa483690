import { AGENT, OWNER, PASSWORD, shop, startApp, useApp } from '../../app.fixture';

const { app, database } = useApp({ realHashes: true, empty: true });

const rows = () =>
  Promise.all([
    database.query('SELECT * FROM stores'),
    database.query('SELECT id, email, nama, password_hash, status FROM users ORDER BY id'),
    database.query('SELECT store_id, user_id, role, teams, status FROM memberships ORDER BY user_id'),
  ]);

describe('the seed of store-auth', () => {
  it('creates store, owner and agents, with hashed passwords', async () => {
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

  it('changes nothing when it is repeated, and only what differs otherwise', async () => {
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

  it('gives users without a password SEED_PASSWORD, or a random one that is printed once', async () => {
    const { password: _, ...rest } = shop.owner;
    const person = (n: number) => ({
      ...rest,
      user_id: `0190b5a0-0000-7000-8000-0000000000a${n}`,
      email: `p${n}@toko-nusa.example`,
    });
    const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    await app.seed({ ...shop, agents: [person(1)] });
    await app.seed({ ...shop, agents: [person(1)] });
    const lines = written.mock.calls.map(([line]) => String(line));
    written.mockRestore();
    expect(lines).toEqual([expect.stringMatching(/^password of p1@toko-nusa.example, shown this once: [\w-]{24}\n$/)]);
    const random = lines[0]?.trim().split(': ')[1];
    const configured = await startApp(database.url, { environment: { SEED_PASSWORD: 'from the settings' } });
    await configured.seed({ ...shop, agents: [person(2)] });
    await configured.stop();
    const login = (n: number, password: unknown) => app.post('/api/login', { email: person(n).email, password });
    expect([(await login(1, random)).status, (await login(2, 'from the settings')).status]).toEqual([200, 200]);
  });

  it('names invalid fields without their values', async () => {
    const broken = { ...shop, owner: { ...shop.owner, email: 'nonsense', password: 'short' } };
    await expect(app.seed(broken)).rejects.toThrow(
      'the seed is not usable: owner.email must be a valid email address; owner.password must be at least 8 characters in length',
    );
  });
});
