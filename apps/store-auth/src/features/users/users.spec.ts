import { sidHashOf } from '@platform/auth';
import { decodeJwt } from 'jose';
import { AGENT, bearer, brief, OWNER, OWNER_LOGIN, PASSWORD, useApp, userView } from '../../app.fixture';

const ID = '0190b5a0-0000-7000-8000-0000000000b1';
const OTHER_ID = '0190b5a0-0000-7000-8000-0000000000b2';
const { app, database } = useApp();
let headers: Record<string, string>;

beforeAll(async () => {
  headers = bearer(await app.serviceToken('commerce-api'));
});
beforeEach(async () => {
  await database.query(`DELETE FROM challenges; DELETE FROM memberships WHERE user_id IN ('${ID}', '${OTHER_ID}')`);
  await database.query(`DELETE FROM auth_sessions; DELETE FROM stores WHERE store_id = 'NEW'`);
  await database.query(`DELETE FROM users WHERE id IN ('${ID}', '${OTHER_ID}')`);
});

const person = { user_id: ID, email: 'Budi@Toko-Baru.example', password: 'a long enough one', nama: 'Budi' };
const create = async (body: object = person) => brief(await app.post('/internal/users', body, headers));
const view = (more: object = {}) => userView({ user_id: ID, email: 'budi@toko-baru.example', nama: 'Budi', ...more });
const conflict = (message: string, code: string) => ({ status: 409, body: { status: 'error', message, code } });
const created = {
  status: 201,
  body: {
    status: 'success',
    message: 'pengguna dibuat',
    data: { user: view(), challenge: expect.stringMatching(/^[\w-]{43}$/) as unknown },
  },
};
const memberships = () => database.query('SELECT store_id, role, teams FROM memberships WHERE user_id = $1', [ID]);

describe('a new user', () => {
  it('gets their own store, and a challenge for the first login', async () => {
    const answer = await create({ ...person, store: { store_id: 'NEW', nama: 'Toko Baru' } });
    expect(answer).toEqual(created);
    expect(await memberships()).toEqual([{ store_id: 'NEW', role: 'owner', teams: [] }]);
    expect(await database.query(`SELECT nama, status FROM stores WHERE store_id = 'NEW'`)).toEqual([
      { nama: 'Toko Baru', status: 'open' },
    ]);
    const { challenge } = (answer.body as { data: { challenge: string } }).data;
    const grant = await app.post('/internal/tokens', { grant: 'challenge', challenge }, headers);
    expect(grant.body).toMatchObject({ data: { store_id: 'NEW', role: 'owner' } });
  });

  it('joins an existing store when the request names one', async () => {
    const membership = { store_id: 'S1', role: 'supervisor', teams: ['3', 4] };
    expect((await create({ ...person, membership, phone: '628110000009', locale: 'en' })).body).toMatchObject({
      data: { user: view({ phone: '628110000009', locale: 'en' }) },
    });
    expect(await memberships()).toEqual([{ store_id: 'S1', role: 'supervisor', teams: ['3', '4'] }]);
  });

  it('is created once, however often and concurrently the caller repeats the request', async () => {
    const request = { ...person, store: { store_id: 'NEW', nama: 'Toko Baru' } };
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(request)));
    expect([...answers, await create(request)]).toEqual(Array(9).fill(created));
    expect(await database.query('SELECT 1 FROM users WHERE id = $1', [ID])).toHaveLength(1);
    expect(await memberships()).toHaveLength(1);
  });

  it('is not answered to a repeat with another password, which would be a login by bare user id', async () => {
    await create();
    const taken = conflict('user_id sudah dipakai', 'user_exists');
    expect(await create({ ...person, password: 'another password' })).toEqual(taken);
    expect(await create({ ...person, email: 'other@toko-baru.example' })).toEqual(taken);
    expect((await app.post('/api/login', { email: person.email, password: person.password })).status).toBe(403);
  });

  it('is not created with the e-mail or the store of another one', async () => {
    await create();
    expect(await create({ ...person, user_id: OTHER_ID })).toEqual(conflict('email sudah terdaftar', 'email_taken'));
    const theirs = { ...person, user_id: OTHER_ID, email: 'x@y.example', store: { store_id: 'S1', nama: 'Mine' } };
    expect(await create(theirs)).toEqual(conflict('store_id sudah dipakai', 'store_taken'));
    expect(await database.query('SELECT 1 FROM users WHERE id = $1', [OTHER_ID])).toEqual([]);
  });

  it.each([
    ['short', 'min', 'password must be at least 8 characters in length'],
    ['x'.repeat(129), 'max', 'password must be a maximum of 128 characters in length'],
    ['ILoveYou1', 'common', 'password is one that many people use: choose another one'],
  ])('cannot have a short, long or common password, case %#', async (password, tag, message) =>
    expect(await create({ ...person, password })).toEqual({
      status: 422,
      body: { errors: [{ field: 'password', tag, message }] },
    }),
  );

  it('needs no capitals, digits or symbols in the password', async () =>
    expect(await create({ ...person, password: 'empat kata tanpa angka' })).toEqual(created));
});

describe('users are found', () => {
  const find = async (query: string) => brief(await app.get(`/internal/users?${query}`, headers));
  const found = (users: object[], next: string | null = null) => ({
    status: 200,
    body: { status: 'success', message: 'pengguna', data: { users, next_cursor: next } },
  });

  it('by e-mail in any case, by ids and by store; never with a hash or secret', async () => {
    await create();
    expect(await find('email=BUDI@toko-baru.example')).toEqual(found([view()]));
    expect(await find(`ids=${ID},0190b5a0-0000-7000-8000-00000000ffff`)).toEqual(found([view()]));
    const { body } = await find('store_id=S1');
    expect((body as { data: { users: { user_id: string }[] } }).data.users.map(({ user_id }) => user_id)).toEqual([
      OWNER.user_id,
      AGENT.user_id,
    ]);
  });

  it('by store in pages of 200', async () => {
    await database.query(`INSERT INTO stores VALUES ('BIG', 'Big')`);
    await database.query(
      `WITH many AS (
         INSERT INTO users (id, email, nama, password_hash)
         SELECT ('0190b5a0-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid, 'm' || n || '@big.example', 'M', 'x'
         FROM generate_series(1, 201) n RETURNING id)
       INSERT INTO memberships (store_id, user_id, role) SELECT 'BIG', id, 'agent' FROM many`,
    );
    const page = async (query: string) =>
      ((await find(query)).body as { data: { users: object[]; next_cursor: string | null } }).data;
    const first = await page('store_id=BIG');
    expect([first.users.length, first.next_cursor]).toEqual([200, '0190b5a0-0000-7000-9000-000000000200']);
    const second = await page(`store_id=BIG&cursor=${first.next_cursor}`);
    expect([second.users.length, second.next_cursor]).toEqual([1, null]);
  });

  it.each([
    ['', { field: 'email', tag: 'required_without', message: 'email is a required field' }],
    ['ids=1,2', { field: 'ids', tag: 'uuid', message: 'ids must be at most 200 UUIDs with commas between them' }],
  ])('not by the query "%s"', async (query, problem) =>
    expect(await find(query)).toEqual({ status: 422, body: { errors: [problem] } }),
  );
});

describe('a user is changed', () => {
  const change = async (body: object, id = ID) => brief(await app.put(`/internal/users/${id}`, body, headers));
  const changed = (more: object) => ({
    status: 200,
    body: { status: 'success', message: 'pengguna diubah', data: { user: view(more) } },
  });

  it('in the fields that are sent and in no other', async () => {
    await create();
    expect(await change({ phone: '628110000009', timezone: 'Asia/Makassar' })).toEqual(
      changed({ phone: '628110000009', timezone: 'Asia/Makassar' }),
    );
    expect(await change({ nama: 'Budi S', email_verified: true })).toEqual(
      changed({ phone: '628110000009', timezone: 'Asia/Makassar', nama: 'Budi S', email_verified: true }),
    );
    expect(await change({ phone: null })).toEqual(
      changed({ phone: null, timezone: 'Asia/Makassar', nama: 'Budi S', email_verified: true }),
    );
  });

  it('to a new e-mail, which is unverified at first and refused when it is taken', async () => {
    await create();
    await change({ email_verified: true });
    expect(await change({ email: OWNER.email.toUpperCase() })).toEqual(
      conflict('email sudah terdaftar', 'email_taken'),
    );
    expect(await change({ email: 'new@toko-baru.example' })).toEqual(changed({ email: 'new@toko-baru.example' }));
  });

  it('to disabled, which ends every login and is announced to verifiers', async () => {
    await database.query('TRUNCATE events');
    const { token } = await app.login();
    await change({ status: 'disabled' }, OWNER.user_id);
    const sidHash = sidHashOf(String(decodeJwt(token).sid));
    expect(await database.query('SELECT payload FROM events')).toEqual([
      { payload: { type: 'revoke', sid_hash: sidHash, exp: expect.any(Number) } },
    ]);
    expect((await app.post('/api/login', OWNER_LOGIN)).status).toBe(401);
    await change({ status: 'active' }, OWNER.user_id);
    expect((await app.post('/api/check-validate-token', { token })).status).toBe(401);
    expect((await app.post('/api/login', OWNER_LOGIN)).status).toBe(200);
  });

  it('only when the user exists', async () =>
    expect(await change({ nama: 'x' }, OTHER_ID)).toEqual({
      status: 404,
      body: { status: 'error', message: 'pengguna tidak ditemukan', code: 'user_not_found' },
    }));
});

describe('a password is changed', () => {
  const PATH = `/internal/users/${AGENT.user_id}/password`;
  const set = async (body: object) => brief(await app.put(PATH, body, headers));
  const agent = (password = PASSWORD) => app.post('/api/login', { email: AGENT.email, password });
  const check = async (token: string) => (await app.post('/api/check-validate-token', { token })).status;
  const login = async (password?: string) => (await agent(password)).body as { data: { token: string } };

  it('with the current one; every other login ends', async () => {
    const [kept, other] = [(await login()).data.token, (await login()).data.token];
    const sid = String(decodeJwt(kept).sid);
    const wrong = { status: 401, body: { status: 'error', message: 'password salah', code: 'password_invalid' } };
    expect(await set({ password: 'my next password', current_password: 'wrong' })).toEqual(wrong);
    expect(await set({ password: 'my next password', current_password: PASSWORD, except_sid: sid })).toEqual({
      status: 200,
      body: { status: 'success', message: 'password diubah' },
    });
    expect([await check(kept), await check(other)]).toEqual([200, 401]);
    expect([(await agent()).status, (await agent('my next password')).status]).toEqual([401, 200]);
    await set({ password: PASSWORD, current_password: 'my next password' });
  });

  it('with a code that was sent for it', async () => {
    const codeFor = async (email: string) => {
      const answer = await app.post('/internal/verification-codes', { email, purpose: 'reset_password' }, headers);
      const { code_id, code } = (answer.body as { data: { code_id: string; code: string } }).data;
      return `${code_id}.${code}`;
    };
    const invalid = { status: 401, body: { status: 'error', message: 'kode tidak berlaku', code: 'code_invalid' } };
    expect(await set({ password: 'my next password', code: await codeFor(OWNER.email) })).toEqual(invalid);
    const code = await codeFor(AGENT.email);
    expect((await set({ password: PASSWORD, code })).status).toBe(200);
    expect(await set({ password: PASSWORD, code })).toEqual(invalid);
  });

  it('only to one that is strong enough, and with a proof', async () => {
    expect(await set({ password: 'password123', current_password: PASSWORD })).toMatchObject({ status: 422 });
    expect(await set({ password: 'my next password' })).toEqual({
      status: 422,
      body: {
        errors: [
          { field: 'current_password', tag: 'required_without', message: 'current_password is a required field' },
        ],
      },
    });
  });
});
