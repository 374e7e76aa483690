import supertest from 'supertest';
import { fixedClock } from '@platform/runtime';
import { bearer, brief, OWNER, OWNER_LOGIN, startApp, useApp, type Answer } from '../../app.fixture';

const HOUR = 3600_000;
const clock = fixedClock('2026-11-20T07:00:00Z');
const { app, database } = useApp({ clock });

beforeEach(() => database.query('TRUNCATE http_sessions'));

const setEmail = (email: string, cookie = '') => app.post('/api/set-email-session', { email }, { cookie });
const cookieOf = ({ headers }: Answer): string => String(headers.get('set-cookie')).split(';')[0] ?? '';
const stored = () => database.query('SELECT id_hash, data FROM http_sessions');

describe('the browser session', () => {
  it('keeps an e-mail, under a cookie that scripts and other sites cannot use', async () => {
    const answer = await setEmail('Owner@Toko-Nusa.example');
    expect(brief(answer)).toEqual({
      status: 200,
      body: { status: 'success', message: 'email tersimpan', data: { email: OWNER.email } },
    });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^sa_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    );
    expect(await stored()).toEqual([
      { id_hash: expect.stringMatching(/^[0-9a-f]{64}$/), data: { email: OWNER.email } },
    ]);
  });

  it('works with a cookie jar that follows the rules of browsers', async () => {
    const browser = supertest.agent(app.url);
    await browser
      .post('/api/set-email-session')
      .send({ email: 'a@toko-nusa.example' })
      .expect('set-cookie', /^sa_session=/);
    const again = await browser.post('/api/set-email-session').send({ email: 'b@toko-nusa.example' });
    expect(again.headers['set-cookie']).toBeUndefined();
    expect((await stored()).map(({ data }) => data)).toEqual([{ email: 'b@toko-nusa.example' }]);
  });

  it('is for https only in production', async () => {
    const production = await startApp(database.url, {
      environment: {
        APP_ENV: 'production',
        TRUST_PROXY: 'none',
        SIGNING_KEY_SECRET: Buffer.alloc(32, 'development only ').toString('base64'),
      },
    });
    const answer = await production.post('/api/set-email-session', { email: OWNER.email });
    await production.stop();
    expect(answer.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  it('continues while it lasts, without a new cookie', async () => {
    const cookie = cookieOf(await setEmail('a@toko-nusa.example'));
    const again = await setEmail('b@toko-nusa.example', `other=1; ${cookie}`);
    expect(again.headers.get('set-cookie')).toBeNull();
    expect((await stored()).map(({ data }) => data)).toEqual([{ email: 'b@toko-nusa.example' }]);
  });

  it('ends after a day without use, and after a week in any case', async () => {
    const idle = cookieOf(await setEmail('a@toko-nusa.example'));
    clock.advance(24 * HOUR);
    expect((await setEmail('a@toko-nusa.example', idle)).headers.get('set-cookie')).not.toBeNull();
    const busy = cookieOf(await setEmail('a@toko-nusa.example'));
    for (let day = 0; day < 8; day++) {
      clock.advance(22 * HOUR);
      const { headers } = await setEmail('a@toko-nusa.example', busy);
      if (day < 7) expect(headers.get('set-cookie')).toBeNull();
      else expect(headers.get('set-cookie')).not.toBeNull();
    }
  });

  it('gets a new id at the login and keeps its values, and the old id is void', async () => {
    const planted = cookieOf(await setEmail('somebody@toko-nusa.example'));
    const login = await app.post('/api/login', OWNER_LOGIN, { cookie: planted });
    expect(cookieOf(login)).toMatch(/^sa_session=[\w-]{43}$/);
    expect(cookieOf(login)).not.toBe(planted);
    expect((await stored()).map(({ data }) => data)).toEqual([{ email: OWNER.email, user_id: OWNER.user_id }]);
    expect((await setEmail('x@toko-nusa.example', planted)).headers.get('set-cookie')).not.toBeNull();
  });

  it('gets one new id from concurrent logins, and the others get none', async () => {
    const planted = cookieOf(await setEmail('somebody@toko-nusa.example'));
    const logins = await Promise.all(
      Array.from({ length: 5 }, () => app.post('/api/login', OWNER_LOGIN, { cookie: planted })),
    );
    expect(logins.filter(({ headers }) => headers.get('set-cookie') !== null)).toHaveLength(1);
    expect(await stored()).toHaveLength(1);
  });

  it('is not begun by a login without a cookie', async () => {
    expect((await app.post('/api/login', OWNER_LOGIN)).headers.get('set-cookie')).toBeNull();
    expect(await stored()).toEqual([]);
  });

  it('refuses a malformed e-mail', async () =>
    expect(brief(await setEmail('nonsense'))).toEqual({
      status: 422,
      body: { errors: [{ field: 'email', tag: 'email', message: 'email must be a valid email address' }] },
    }));
});

describe('browser sessions of one address', () => {
  it('are limited to sixty writes a minute, and a refused one stores no row', async () => {
    const limited = await startApp(database.url, { environment: { THROTTLE_SESSION: '60/1m', REDIS_URL: '' } });
    const ask = (path: string, body: object) => limited.post(path, body);
    const answers = await Promise.all(
      Array.from({ length: 70 }, () => ask('/api/set-email-session', { email: OWNER.email })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    const removing = await Promise.all(Array.from({ length: 61 }, () => ask('/api/remove-referer-session', {})));
    await limited.stop();
    expect(refused.map(brief)).toEqual(
      Array(10).fill({ status: 429, body: { status: 'error', message: 'terlalu banyak percobaan' } }),
    );
    expect(refused[0]?.headers.get('retry-after')).toBe('60');
    expect(removing.filter(({ status }) => status === 429)).toHaveLength(1);
    expect(await stored()).toHaveLength(60);
  });
});

describe('pages of other origins', () => {
  const SHOP = 'https://shop.example';
  const allowed = async (origin: string, path = '/api/set-email-session') => {
    const listed = await startApp(database.url, { environment: { CORS_ORIGINS: SHOP } });
    const { status, headers } = await fetch(listed.url + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    await listed.stop();
    return [status, headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
  };

  it('may use the session when CORS_ORIGINS lists them, and not the internal API', async () => {
    expect(await allowed(SHOP)).toEqual([204, SHOP, 'true']);
    expect(await allowed('https://evil.example')).toEqual([404, null, null]);
    expect(await allowed(SHOP, '/internal/tokens')).toEqual([404, null, null]);
  });
});

describe('remove-referer-session', () => {
  const DONE = { status: 200, body: { status: 'success', message: 'referer dihapus' } };

  it('removes the referer and leaves the rest', async () => {
    const email = cookieOf(await setEmail(OWNER.email));
    const headers = { ...bearer((await app.login()).token), cookie: email };
    await app.post('/api/create-token', { purpose: 'preview', referer: 'https://a.example' }, headers);
    expect((await stored()).map(({ data }) => data)).toEqual([{ email: OWNER.email, referer: 'https://a.example' }]);
    for (const cookie of [email, email])
      expect(brief(await app.post('/api/remove-referer-session', {}, { cookie }))).toEqual(DONE);
    expect((await stored()).map(({ data }) => data)).toEqual([{ email: OWNER.email }]);
  });

  it('does nothing without a session, and answers alike', async () =>
    expect(
      brief(await app.post('/api/remove-referer-session', {}, { cookie: `sa_session=${'x'.repeat(43)}` })),
    ).toEqual(DONE));
});
