import { hash } from '@node-rs/argon2';
import { argon2Verify } from 'hash-wasm';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { AGENT, bearer, brief, OWNER, OWNER_LOGIN, PASSWORD, startApp, useApp } from '../../app.fixture';

const REFUSED = { status: 401, body: { status: 'error', message: 'email atau password salah' } };
const { app, database } = useApp();

const login = async (credentials: unknown) => brief(await app.post('/api/login', credentials));
const storeOf = async (credentials: object) =>
  ((await login(credentials)).body as { data: { store_id: string } }).data.store_id;

describe('a login', () => {
  it('with the right password answers e-mail, token and refresh token', async () => {
    const answer = await app.post('/api/login', OWNER_LOGIN);
    expect(brief(answer)).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'login berhasil',
        data: {
          email: OWNER.email,
          token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
          token_type: 'Bearer',
          expires_in: 3600,
          refresh_token: expect.stringMatching(/^[\w-]{43}\.[\w-]{43}$/),
          store_id: 'S1',
          role: 'owner',
        },
      },
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('gives a token with the documented claims and nothing more', async () => {
    const { token } = await app.login({ email: AGENT.email, password: PASSWORD });
    const [key] = app.parts.ring.published();
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: key?.kid });
    const claims = decodeJwt(token);
    expect(claims).toEqual({
      iss: 'store-auth',
      aud: ['store-auth', 'chat-backend', 'bot-engine', 'commerce-api'],
      sub: AGENT.user_id,
      store_id: 'S1',
      role: 'agent',
      teams: ['3'],
      email: AGENT.email,
      sid: expect.stringMatching(/^[\w-]{43}$/),
      jti: expect.any(String),
      iat: expect.any(Number),
      nbf: claims.iat,
      exp: Number(claims.iat) + 3600,
    });
  });

  it('ignores case and surrounding space in the e-mail', async () =>
    expect((await login({ email: ' Owner@Toko-Nusa.EXAMPLE ', password: PASSWORD })).status).toBe(200));

  it('answers unknown, wrong, disabled and without a store with the same text', async () => {
    const stored = await app.parts.passwords.hash(PASSWORD);
    await database.query(
      `INSERT INTO users (id, email, nama, password_hash, status, email_verified_at) VALUES
       (gen_random_uuid(), 'gone@toko-nusa.example', 'Gone', $1, 'disabled', now()),
       (gen_random_uuid(), 'lone@toko-nusa.example', 'Lone', $1, 'active', now())`,
      [stored],
    );
    const answers = await Promise.all(
      [
        { email: 'nobody@toko-nusa.example', password: PASSWORD },
        { email: OWNER.email, password: 'wrong' },
        { email: 'gone@toko-nusa.example', password: PASSWORD },
        { email: 'lone@toko-nusa.example', password: PASSWORD },
        { ...OWNER_LOGIN, store_id: 'S9' },
      ].map(login),
    );
    expect(answers).toEqual(answers.map(() => REFUSED));
  });

  it('does one full password check even for an unknown user', async () => {
    const matches = jest.spyOn(app.parts.passwords, 'matches');
    await login({ email: 'nobody@toko-nusa.example', password: 'x' });
    expect(matches.mock.calls).toEqual([[undefined, 'x']]);
    matches.mockRestore();
  });

  it('is refused until the address was confirmed, and only the right password is told so', async () => {
    const headers = bearer(await app.serviceToken('commerce-api'));
    const stranger = {
      user_id: '0190b5a0-0000-7000-8000-00000000000a',
      email: 'victim@toko-nusa.example',
      password: PASSWORD,
      nama: 'Not the owner',
      store: { store_id: 'S7', nama: 'Seven' },
    };
    expect((await app.post('/internal/users', stranger, headers)).status).toBe(201);
    const { email } = stranger;
    expect(await login({ email, password: 'wrong' })).toEqual(REFUSED);
    for (const more of [{}, { otp: '123456' }])
      expect(await login({ email, password: PASSWORD, ...more })).toEqual({
        status: 403,
        body: { status: 'error', message: 'konfirmasi alamat email dahulu', code: 'email_unverified' },
      });
    await app.put(`/internal/users/${stranger.user_id}`, { email_verified: true }, headers);
    expect(await storeOf({ email, password: PASSWORD })).toBe('S7');
  });

  it('asks for the second factor only after the right password, and fails without it', async () => {
    await database.query(
      `INSERT INTO users (id, email, nama, password_hash, totp_enc, email_verified_at)
       VALUES (gen_random_uuid(), 'careful@toko-nusa.example', 'Careful', $1, 'sealed', now())`,
      [await app.parts.passwords.hash(PASSWORD)],
    );
    expect(await login({ email: 'careful@toko-nusa.example', password: 'wrong' })).toEqual(REFUSED);
    expect(await login({ email: 'careful@toko-nusa.example', password: PASSWORD })).toEqual({
      status: 401,
      body: { status: 'error', message: 'kode otp diperlukan', code: 'otp_required' },
    });
  });
});

describe('the store of a login', () => {
  beforeAll(async () => {
    await database.query(
      `INSERT INTO stores (store_id, nama, status) VALUES ('S2', 'Two', 'open'), ('S3', 'Three', 'suspended')`,
    );
    await database.query(
      `INSERT INTO memberships (store_id, user_id, role, created_at) VALUES
       ('S2', $1, 'admin', now() + interval '1 day'), ('S3', $1, 'admin', now() - interval '1 day')`,
      [AGENT.user_id],
    );
  });
  const agent = { email: AGENT.email, password: PASSWORD };

  it('is the one asked for, then the last used, else the oldest', async () => {
    await database.query('UPDATE users SET last_store_id = NULL WHERE id = $1', [AGENT.user_id]);
    const stores = [await storeOf(agent), await storeOf({ ...agent, store_id: 'S2' }), await storeOf(agent)];
    expect(stores).toEqual(['S1', 'S2', 'S2']);
  });

  it('is refused when it is suspended and asked for by name; otherwise a suspended one is passed over', async () => {
    expect(await login({ ...agent, store_id: 'S3' })).toEqual({
      status: 403,
      body: { status: 'error', message: 'toko tidak aktif', code: 'store_suspended' },
    });
    await database.query(`UPDATE users SET last_store_id = 'S3' WHERE id = $1`, [AGENT.user_id]);
    expect(await storeOf(agent)).toBe('S1');
  });
});

describe('a login request that cannot be read', () => {
  const required = (field: string) => ({ field, tag: 'required', message: `${field} is a required field` });

  it.each([
    [{}, [required('email'), required('password')]],
    [{ email: OWNER.email, password: '' }, [required('password')]],
    [
      { email: OWNER.email, password: 'x'.repeat(129) },
      [{ field: 'password', tag: 'max', message: 'password must be a maximum of 128 characters in length' }],
    ],
    [
      { email: 'x'.repeat(255), password: 'x' },
      [{ field: 'email', tag: 'max', message: 'email must be a maximum of 254 characters in length' }],
    ],
  ])('is a 422 that names the fields, case %#', async (body, errors) =>
    expect(await login(body)).toEqual({ status: 422, body: { errors } }),
  );

  it('is a 400 when the body is no JSON', async () =>
    expect(await login('{"email":')).toEqual({ status: 400, body: { status: 'error', message: 'body tidak valid' } }));

  it('is a 413 over 100 KB', async () =>
    expect(await login({ email: 'x'.repeat(110_000) })).toEqual({
      status: 413,
      body: { status: 'error', message: 'body terlalu besar' },
    }));

  it('is a 404 on an unknown route', async () =>
    expect(brief(await app.get('/api/login'))).toEqual({
      status: 404,
      body: { status: 'error', message: 'Not Found' },
    }));
});

describe('after a login', () => {
  it('only hashes of sid and refresh token are stored, with address and user agent', async () => {
    const { token, refresh_token: refresh } = await app.login();
    const rows = JSON.stringify([
      await database.query('SELECT * FROM auth_sessions'),
      await database.query('SELECT * FROM refresh_tokens'),
      await database.query('SELECT * FROM auth_events'),
    ]);
    for (const secret of [token, refresh, String(decodeJwt(token).sid)]) expect(rows).not.toContain(secret);
    const [session] = await database.query(
      'SELECT user_id, store_id, kind, ip, user_agent, revoked_at FROM auth_sessions WHERE current_jti = $1',
      [decodeJwt(token).jti],
    );
    expect(session).toEqual({
      user_id: OWNER.user_id,
      store_id: 'S1',
      kind: 'jwt',
      ip: '127.0.0.1',
      user_agent: 'node',
      revoked_at: null,
    });
  });

  it('the login history has who was let in and who was refused', async () => {
    await database.query('TRUNCATE auth_events');
    await login(OWNER_LOGIN);
    await login({ email: OWNER.email, password: 'wrong' });
    await login({ email: 'nobody@toko-nusa.example', password: 'wrong' });
    expect(await database.query('SELECT type, user_id, store_id, ip, user_agent FROM auth_events ORDER BY id')).toEqual(
      [
        { type: 'login', user_id: OWNER.user_id, store_id: 'S1', ip: '127.0.0.1', user_agent: 'node' },
        { type: 'login_failed', user_id: OWNER.user_id, store_id: null, ip: '127.0.0.1', user_agent: 'node' },
        { type: 'login_failed', user_id: null, store_id: null, ip: '127.0.0.1', user_agent: 'node' },
      ],
    );
  });

  it('a hash with weaker parameters than configured is replaced', async () => {
    const stored = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
    await database.query('UPDATE users SET password_hash = $1 WHERE id = $2', [stored, OWNER.user_id]);
    const strong = await startApp(database.url, { realHashes: true });
    expect((await strong.post('/api/login', OWNER_LOGIN)).status).toBe(200);
    await strong.stop();
    const [row] = await database.query<{ password_hash: string }>('SELECT password_hash FROM users WHERE id = $1', [
      OWNER.user_id,
    ]);
    expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    // Another library reads it, so the hashes follow the standard
    expect(await argon2Verify({ password: PASSWORD, hash: String(row?.password_hash) })).toBe(true);
    expect((await login(OWNER_LOGIN)).status).toBe(200);
  });
});
