import { sidHashOf } from '@platform/auth';
import { fixedClock } from '@platform/runtime';
import { decodeJwt } from 'jose';
import { AGENT, bearer, brief, OWNER, PASSWORD, useApp } from '../../app.fixture';

const clock = fixedClock('2026-11-20T07:00:00Z');
const at = (minute: number) => `2026-11-20T07:${String(minute).padStart(2, '0')}:00.000Z`;
const LAST_OWNER = {
  status: 409,
  body: { status: 'error', message: 'toko harus memiliki pemilik', code: 'last_owner' },
};
const { app, database } = useApp({ clock });
let headers: Record<string, string>;

beforeAll(async () => {
  headers = bearer(await app.serviceToken('commerce-api'));
});
beforeEach(async () => {
  await database.query('TRUNCATE events, auth_sessions CASCADE');
  await database.query(`DELETE FROM memberships WHERE store_id <> 'S1'; UPDATE stores SET status = 'open'`);
  await database.query(
    `UPDATE memberships SET status = 'active', updated_at = $1, teams = CASE WHEN user_id = $2 THEN '{3}'::text[] ELSE '{}' END,
       role = CASE WHEN user_id = $2 THEN 'agent' ELSE 'owner' END`,
    [at(0), AGENT.user_id],
  );
});

const path = (store = 'S1', user = AGENT.user_id) => `/internal/memberships/${store}/${user}`;
const member = { role: 'agent', teams: ['3'], status: 'active', updated_at: at(1) };
const put = async (body: object, to = path()) => brief(await app.put(to, { ...member, ...body }, headers));
const remove = async (body: object = {}, from = path()) => brief(await app.delete(from, body, headers));
const stored = (applied: boolean) => ({
  status: 200,
  body: { status: 'success', message: 'keanggotaan disimpan', data: { applied } },
});
const removed = (applied: boolean) => ({
  status: 200,
  body: { status: 'success', message: 'keanggotaan dihapus', data: { applied } },
});
const events = () =>
  database
    .query<{ payload: object }>('SELECT payload FROM events ORDER BY id')
    .then((rows) => rows.map(({ payload }) => payload));
const agentLogin = async (more: object = {}) =>
  (await app.login({ email: AGENT.email, password: PASSWORD, ...more })).token;
const check = async (token: string) => (await app.post('/api/check-validate-token', { token })).status;
const revoked = (token: string) => ({
  type: 'revoke',
  sid_hash: sidHashOf(String(decodeJwt(token).sid)),
  exp: expect.any(Number) as number,
});

describe('a change of a membership', () => {
  it('of teams is announced to the verifiers, and the login goes on', async () => {
    const token = await agentLogin();
    expect(await put({ teams: ['3', '4'] })).toEqual(stored(true));
    expect(await events()).toEqual([
      {
        type: 'membership',
        store_id: 'S1',
        user_id: AGENT.user_id,
        role: 'agent',
        teams: ['3', '4'],
        at: clock.now().getTime(),
      },
    ]);
    expect((await app.post('/api/checktoken', { token })).body).toMatchObject({ data: { teams: ['3', '4'] } });
    expect(await put({ teams: ['4', '3'], updated_at: at(2) })).toEqual(stored(true));
    expect(await events()).toHaveLength(1);
  });

  it('of the role is announced as well, or teams that changed in the same second would outrank the next token', async () => {
    const before = await agentLogin();
    await put({ teams: ['4'] });
    clock.advance(1);
    await put({ role: 'supervisor', teams: ['4'], updated_at: at(2) });
    const told = {
      type: 'membership',
      store_id: 'S1',
      user_id: AGENT.user_id,
      teams: ['4'],
      at: clock.now().getTime(),
    };
    expect(await events()).toEqual([
      { ...told, role: 'agent', at: clock.now().getTime() - 1 },
      revoked(before),
      // Behind the event before, which is of the same millisecond
      { ...told, role: 'supervisor', at: clock.now().getTime() + 1 },
    ]);
  });

  it.each([
    ['to another role', () => put({ role: 'supervisor' })],
    ['to disabled', () => put({ status: 'disabled' })],
    ['that removes it', () => remove()],
  ])('%s ends the logins in that store and no other', async (_, change) => {
    await app.put(path('S2'), { ...member, role: 'admin' }, headers);
    const [here, elsewhere] = [await agentLogin({ store_id: 'S1' }), await agentLogin({ store_id: 'S2' })];
    const owner = (await app.login()).token;
    expect((await change()).body).toMatchObject({ data: { applied: true } });
    expect((await events()).filter((event) => 'sid_hash' in event)).toEqual([revoked(here)]);
    expect(await Promise.all([here, elsewhere, owner].map(check))).toEqual([401, 200, 200]);
  });

  it('also ends logins that moved on to another store, because their old tokens are still valid', async () => {
    await app.put(path('S2'), { ...member, role: 'admin' }, headers);
    const here = await agentLogin({ store_id: 'S1' });
    await app.post('/internal/tokens', { grant: 'session', token: here, store_id: 'S2' }, headers);
    await put({ status: 'disabled' });
    expect(await events()).toEqual([revoked(here)]);
  });

  it('counts when it is the newest, in whatever order changes arrive', async () => {
    expect(await put({ teams: ['5'], updated_at: at(5) })).toEqual(stored(true));
    expect(await put({ teams: ['4'], updated_at: at(4) })).toEqual(stored(false));
    expect(await put({ teams: ['5'], updated_at: at(5) })).toEqual(stored(true));
    expect(await remove({ updated_at: at(6) })).toEqual(removed(true));
    expect(await put({ updated_at: at(5) })).toEqual(stored(false));
    expect(await remove({ updated_at: at(7) })).toEqual(removed(false));
    expect((await app.post('/api/login', { email: AGENT.email, password: PASSWORD })).status).toBe(401);
    expect((await app.get('/internal/users?store_id=S1', headers)).body).toMatchObject({
      data: { users: [{ user_id: OWNER.user_id }] },
    });
    expect(await put({ updated_at: at(8) })).toEqual(stored(true));
    expect(await check(await agentLogin())).toBe(200);
  });

  it('creates an unknown store, and refuses an unknown user', async () => {
    expect(await put({ role: 'owner' }, path('S7'))).toEqual(stored(true));
    expect(await database.query(`SELECT * FROM stores WHERE store_id = 'S7'`)).toEqual([
      { store_id: 'S7', nama: 'S7', status: 'open' },
    ]);
    expect(await put({}, path('S7', '0190b5a0-0000-7000-8000-00000000ffff'))).toEqual({
      status: 404,
      body: { status: 'error', message: 'pengguna tidak ditemukan', code: 'user_not_found' },
    });
    expect(await put({}, path('bad%20id'))).toMatchObject({ status: 422 });
    expect(await remove({}, path('S8'))).toEqual(removed(false));
  });

  it('that removes, demotes or disables the last owner is refused', async () => {
    const owner = path('S1', OWNER.user_id);
    expect(await put({ role: 'admin' }, owner)).toEqual(LAST_OWNER);
    expect(await put({ role: 'owner', status: 'disabled' }, owner)).toEqual(LAST_OWNER);
    expect(await remove({}, owner)).toEqual(LAST_OWNER);
    await put({ role: 'owner' });
    expect(await put({ role: 'admin' }, owner)).toEqual(stored(true));
  });

  it('that demotes both owners at the same moment leaves one', async () => {
    await put({ role: 'owner' });
    const both = [path(), path('S1', OWNER.user_id)].map((each) => put({ role: 'agent', updated_at: at(9) }, each));
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe('a suspended store', () => {
  const setStore = async (status: string) =>
    brief(await app.put('/internal/stores/S1', { nama: 'Toko Nusa', status }, headers));

  it('loses its logins, and gets none until it is open again', async () => {
    const [owner, agent] = [(await app.login()).token, await agentLogin()];
    expect(await setStore('closed')).toEqual({ status: 200, body: { status: 'success', message: 'toko disimpan' } });
    expect(await Promise.all([owner, agent].map(check))).toEqual([200, 200]);
    await setStore('suspended');
    expect(await Promise.all([owner, agent].map(check))).toEqual([401, 401]);
    expect(await events()).toEqual(expect.arrayContaining([revoked(owner), revoked(agent)]));
    expect((await app.post('/api/login', { email: AGENT.email, password: PASSWORD })).status).toBe(403);
    await setStore('open');
    expect(await check(owner)).toBe(401);
    expect(await check(await agentLogin())).toBe(200);
  });
});
