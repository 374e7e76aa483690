import { sidHashOf, signClaims } from '@platform/auth';
import { tokenTypes, type Claims } from '@platform/contracts';
import { fixedClock } from '@platform/runtime';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { AGENT, bearer, brief, OWNER, PASSWORD, useApp } from '../../app.fixture';

const INVALID = { status: 401, body: { status: 'invalid', message: 'token tidak valid' } };
const EXPIRED = { status: 401, body: { status: 'ekspired', message: 'token ekspired' } };
/** A new access token with its refresh token. */
const MINTED = {
  status: 200,
  body: {
    status: 'success',
    message: 'token dibuat',
    data: { email: OWNER.email, token: expect.any(String), refresh_token: expect.any(String), expires_in: 3600 },
  },
};
const HOUR = 3600_000;
const clock = fixedClock('2026-11-20T07:00:00Z');
const { app, database } = useApp({ clock });
let token: string;
let refreshToken: string;

beforeEach(async () => {
  await database.query('TRUNCATE events, auth_events, auth_sessions CASCADE');
  ({ token, refresh_token: refreshToken } = await app.login());
});

interface Minted {
  readonly token: string;
  readonly refresh_token: string;
}

const mintedIn = ({ body }: { body: unknown }) => (body as { data: Minted }).data;
const create = (body: object, headers: Record<string, string> = bearer(token)) =>
  app.post('/api/create-token', body, headers);
const refresh = (given: string) => app.post('/api/refresh-token', { refresh_token: given });
const check = async (given: string) => brief(await app.post('/api/check-validate-token', { token: given })).status;

describe('create-token', () => {
  it('gives the bearer another token of the same login', async () => {
    const answer = await create({});
    expect(brief(answer)).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'token dibuat',
        data: { email: OWNER.email, token: expect.any(String), expires_in: 3600 },
      },
    });
    const [before, after] = [token, mintedIn(answer).token].map((each) => decodeJwt<Claims>(each));
    expect([after?.sid, after?.sub, after?.store_id]).toEqual([before?.sid, before?.sub, 'S1']);
    expect(after?.jti).not.toBe(before?.jti);
    expect(await check(mintedIn(answer).token)).toBe(200);
  });

  it('gives it a shorter life when asked, never a longer one', async () => {
    const lifeOf = async (ttl: number) => {
      const { exp, iat } = decodeJwt(mintedIn(await create({ ttl })).token);
      return Number(exp) - Number(iat);
    };
    expect(await lifeOf(60)).toBe(60);
    expect(brief(await create({ ttl: 3601 }))).toEqual({
      status: 422,
      body: { errors: [{ field: 'ttl', tag: 'max', message: 'ttl must be 3600 or less' }] },
    });
  });

  it('accepts an expired bearer only together with its refresh token', async () => {
    clock.advance(2 * HOUR);
    expect(brief(await create({}))).toEqual(EXPIRED);
    const foreign = (await app.login({ email: AGENT.email, password: PASSWORD })).refresh_token;
    expect(brief(await create({ refresh_token: foreign }))).toEqual(INVALID);
    const answer = await create({ refresh_token: refreshToken });
    expect(brief(answer)).toEqual(MINTED);
    expect(await check(mintedIn(answer).token)).toBe(200);
  });

  it('authenticates nobody by the e-mail of a browser session', async () => {
    const session = await app.post('/api/set-email-session', { email: OWNER.email });
    const cookie = String(session.headers.get('set-cookie')).split(';')[0] ?? '';
    expect(brief(await create({}, { cookie }))).toEqual(INVALID);
    expect(brief(await create({ purpose: 'preview', referer: 'https://a' }, { cookie }))).toEqual(INVALID);
  });
});

describe('a refresh token', () => {
  it('is exchanged for an access token and its successor', async () => {
    const answer = await refresh(refreshToken);
    expect(brief(answer)).toEqual(MINTED);
    expect(await check(mintedIn(answer).token)).toBe(200);
    expect((await refresh(mintedIn(answer).refresh_token)).status).toBe(200);
  });

  it('used twice at once, or again within ten seconds, has one successor', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)));
    clock.advance(10_000);
    const all = [...answers, await refresh(refreshToken)].map(brief);
    expect(all).toEqual(all.map(() => brief(answers[0] as (typeof answers)[number])));
    expect(all[0]?.status).toBe(200);
  });

  it('used again later ends the login, for everybody who holds a token of it', async () => {
    const successor = mintedIn(await refresh(refreshToken));
    clock.advance(10_001);
    expect(brief(await refresh(refreshToken))).toEqual(INVALID);
    expect(brief(await refresh(successor.refresh_token))).toEqual(INVALID);
    expect(await check(successor.token)).toBe(401);
    expect(await database.query('SELECT payload FROM events')).toEqual([
      { payload: { type: 'revoke', sid_hash: sidHashOf(String(decodeJwt(token).sid)), exp: expect.any(Number) } },
    ]);
    expect(await database.query(`SELECT type FROM auth_events WHERE type = 'refresh_reused'`)).toHaveLength(1);
  });

  it('is valid for fourteen days, and its access token not a second longer', async () => {
    clock.advance(14 * 24 * HOUR - 60_000);
    const { token: last, refresh_token: next } = mintedIn(await refresh(refreshToken));
    expect(Number(decodeJwt(last).exp) - Number(decodeJwt(last).iat)).toBe(60);
    clock.advance(60_000);
    expect(brief(await refresh(next))).toEqual(INVALID);
  });

  it('is invalid when it is unknown, foreign or of an ended login', async () => {
    const [, secret] = refreshToken.split('.');
    const other = (await app.login()).refresh_token.split('.')[0];
    expect(brief(await refresh('unknown'))).toEqual(INVALID);
    expect(brief(await refresh(`${other}.${secret}`))).toEqual(INVALID);
    await app.post('/api/logout', {}, bearer(token));
    expect(brief(await refresh(refreshToken))).toEqual(INVALID);
  });

  it('leaves nothing readable in the database, nor does its successor', async () => {
    const successor = mintedIn(await refresh(refreshToken));
    const rows = JSON.stringify(await database.query('SELECT * FROM refresh_tokens'));
    const secrets = [refreshToken, successor.refresh_token, successor.token];
    expect(secrets.filter((secret) => rows.includes(secret))).toEqual([]);
  });
});

describe('a preview token', () => {
  const REFERER = 'https://toko-nusa.example/preview';
  const preview = async (more: object = {}) => {
    const answer = await create({ purpose: 'preview', referer: REFERER, ...more });
    const cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? '';
    return { token: mintedIn(answer).token, cookie };
  };
  const validate = async (body: object, cookie = '') =>
    brief(await app.post('/api/validate_token', { purpose: 'preview', ...body }, { cookie }));
  const valid = (data: object) => ({ status: 200, body: { status: 'valid', message: 'token valid', data } });
  const data = { email: OWNER.email, store_id: 'S1', role: 'owner', expires_at: expect.any(String) as unknown };

  it('is valid with its referer, sent or kept in the browser session', async () => {
    const { token: given, cookie } = await preview();
    expect(decodeProtectedHeader(given).typ).toBe('preview+jwt');
    expect(decodeJwt(given).aud).toBe('preview');
    expect(await validate({ token: given, referer: REFERER })).toEqual(valid(data));
    expect(await validate({ token: given }, cookie)).toEqual(valid(data));
    expect(await validate({ token: given, referer: 'https://elsewhere.example' }, cookie)).toEqual(INVALID);
    expect(await validate({ token: given })).toEqual(INVALID);
    await app.post('/api/remove-referer-session', {}, { cookie });
    expect(await validate({ token: given }, cookie)).toEqual(INVALID);
  });

  it('is consumed once, even by many at once', async () => {
    const { token: given } = await preview();
    const use = () => validate({ token: given, referer: REFERER, consume: true });
    const answers = await Promise.all(Array.from({ length: 10 }, use));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(401)]);
    expect((await app.post('/api/checktoken', { token: given })).status).toBe(401);
  });

  it('is "ekspired" when it would otherwise be valid', async () => {
    const { token: given } = await preview({ ttl: 60 });
    clock.advance(91_000);
    expect(await validate({ token: given, referer: REFERER })).toEqual(EXPIRED);
    expect(await validate({ token: given, referer: 'https://elsewhere.example' })).toEqual(INVALID);
  });

  it('is no access token, nor the other way round, but checktoken knows it', async () => {
    const { token: given } = await preview();
    expect(await check(given)).toBe(401);
    expect(await validate({ token: given, purpose: 'access' })).toEqual(INVALID);
    expect(await validate({ token, referer: REFERER })).toEqual(INVALID);
    expect(await validate({ token, purpose: 'access' })).toEqual(valid(data));
    expect((await app.post('/api/checktoken', { token: given })).body).toMatchObject({ data: { type: 'preview' } });
  });

  it('needs a referer', async () =>
    expect(brief(await create({ purpose: 'preview' }))).toEqual({
      status: 422,
      body: { errors: [{ field: 'referer', tag: 'required', message: 'referer is a required field' }] },
    }));

  it('ends with its login', async () => {
    const { token: given } = await preview();
    await app.post('/api/logout', {}, bearer(token));
    expect(await validate({ token: given, referer: REFERER })).toEqual(INVALID);
  });
});

describe('a logout', () => {
  const DONE = { status: 200, body: { status: 'success', message: 'logout berhasil' } };
  const logout = async (path: string, given: string) => brief(await app.post(path, {}, bearer(given)));

  it('ends this login, also on a repeat and with an expired token', async () => {
    const other = (await app.login()).token;
    expect([await logout('/api/logout', token), await logout('/api/logout', token)]).toEqual([DONE, DONE]);
    expect([await check(token), await check(other)]).toEqual([401, 200]);
    clock.advance(2 * HOUR);
    expect(await logout('/api/logout', other)).toEqual(DONE);
    expect(await database.query('SELECT count(*)::int AS n FROM events')).toEqual([{ n: 2 }]);
  });

  it('from everywhere ends all logins of this user, and of no other', async () => {
    const others = [(await app.login()).token, (await app.login()).token];
    const agent = (await app.login({ email: AGENT.email, password: PASSWORD })).token;
    expect(await logout('/api/logout-all', token)).toEqual(DONE);
    expect(await Promise.all([...others, agent].map(check))).toEqual([401, 401, 200]);
  });

  it('with the token of an ended login signs nobody out', async () => {
    await logout('/api/logout', token);
    const later = (await app.login()).token;
    expect(await logout('/api/logout-all', token)).toEqual(DONE);
    expect(await check(later)).toBe(200);
  });

  it('refuses a token that is not ours', async () => {
    const forged = signClaims(app.parts.ring.current(), tokenTypes.access, { ...decodeJwt<Claims>(token), aud: 'x' });
    expect(await logout('/api/logout', forged)).toEqual(INVALID);
    expect(brief(await app.post('/api/logout'))).toEqual(INVALID);
  });
});

it('a login exchanges its refresh token 120 times in an hour, then waits; its last token is still good then', async () => {
  for (let n = 0; n < 120; n++) refreshToken = mintedIn(await refresh(refreshToken)).refresh_token;
  clock.advance(60_000);
  const refused = await refresh(refreshToken);
  expect(brief(refused)).toEqual({ status: 429, body: { status: 'error', message: 'terlalu banyak percobaan' } });
  expect(refused.headers.get('retry-after')).toBe(String(59 * 60));
  expect((await create({ refresh_token: refreshToken })).status).toBe(429);
  clock.advance(59 * 60_000);
  expect(brief(await refresh(refreshToken))).toEqual(MINTED);
});

it('a login has a thousand previews at a time, and no more', async () => {
  const wanted = { purpose: 'preview', referer: 'https://shop.example/a' };
  await database.query(
    `INSERT INTO preview_tokens (jti, sid_hash, referer, expires_at) SELECT 'p' || n, sid_hash, 'r', $1 FROM auth_sessions, generate_series(1, 999) n`,
    [clock.now()],
  );
  expect((await create(wanted)).status).toBe(200);
  expect(brief(await create(wanted))).toEqual({
    status: 429,
    body: { status: 'error', message: 'terlalu banyak percobaan' },
  });
  expect((await create({})).status).toBe(200);
});
