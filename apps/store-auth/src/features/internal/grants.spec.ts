import { createHash } from 'node:crypto';
import { fixedClock } from '@platform/runtime';
import { decodeJwt } from 'jose';
import { AGENT, bearer, brief, OWNER, PASSWORD, startApp, useApp } from '../../app.fixture';

const ENDED = { status: 401, body: { status: 'error', message: 'sesi sudah berakhir', code: 'session_ended' } };
const HOUR = 3600_000;
const clock = fixedClock('2026-11-20T07:00:00Z');
const { app, database } = useApp({ clock });
let headers: Record<string, string>;
let token: string;

beforeAll(async () => {
  await database.query(`INSERT INTO stores VALUES ('S2', 'Two', 'open'), ('S3', 'Three', 'suspended')`);
  await database.query(
    `INSERT INTO memberships (store_id, user_id, role) VALUES ('S2', $1, 'admin'), ('S3', $1, 'admin')`,
    [AGENT.user_id],
  );
});
beforeEach(async () => {
  await renewServiceToken();
  ({ token } = await app.login({ email: AGENT.email, password: PASSWORD, store_id: 'S1' }));
});

interface Grant {
  readonly access_token: string;
  readonly refresh_token: string;
}

const renewServiceToken = async () => {
  headers = bearer(await app.serviceToken('commerce-api'));
};
const ask = async (body: object) => brief(await app.post('/internal/tokens', body, headers));
const refresh = (given: string) => ask({ grant: 'refresh', token: given });
const switchTo = (store_id: string, more: object = { token }) => ask({ grant: 'session', store_id, ...more });
const grantIn = ({ body }: { body: unknown }) => (body as { data: Grant }).data;
const check = async (given: string) => (await app.post('/api/check-validate-token', { token: given })).status;
const granted = (store_id: string, role: string, sid: unknown = decodeJwt(token).sid) => ({
  status: 200,
  body: {
    status: 'success',
    message: 'token dibuat',
    data: {
      access_token: expect.any(String) as string,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[\w-]{43}\.[\w-]{43}$/) as string,
      sid,
      store_id,
      role,
    },
  },
});

describe('grant session', () => {
  it('moves the login to another store of its user, by token or sid', async () => {
    const answer = await switchTo('S2');
    expect(answer).toEqual(granted('S2', 'admin'));
    expect(decodeJwt(grantIn(answer).access_token)).toMatchObject({ store_id: 'S2', role: 'admin' });
    expect(await check(grantIn(answer).access_token)).toBe(200);
    expect(await switchTo('S1', { sid: decodeJwt(token).sid })).toEqual(granted('S1', 'agent'));
    expect(await database.query('SELECT last_store_id FROM users WHERE id = $1', [AGENT.user_id])).toEqual([
      { last_store_id: 'S1' },
    ]);
  });

  it('moves one user 120 times an hour at most', async () => {
    const strict = await startApp(database.url, { clock, environment: { THROTTLE_LOGINS: '2/1h' } });
    const given = { grant: 'session', store_id: 'S2', token };
    const move = async () => (await strict.post('/internal/tokens', given, headers)).status;
    clock.advance(HOUR);
    await renewServiceToken();
    ({ token: given.token } = await app.login({ email: AGENT.email, password: PASSWORD, store_id: 'S1' }));
    expect([await move(), await move(), await move()]).toEqual([200, 200, 429]);
    await strict.stop();
  });

  it('gives a refresh token that continues in the new store', async () => {
    const { refresh_token } = grantIn(await switchTo('S2'));
    const next = await app.post('/api/refresh-token', { refresh_token });
    expect(decodeJwt((next.body as { data: { token: string } }).data.token).store_id).toBe('S2');
  });

  it('refuses a store that the user does not belong to, and a suspended one', async () => {
    expect(await switchTo('S9')).toEqual({
      status: 401,
      body: { status: 'error', message: 'bukan anggota toko', code: 'not_a_member' },
    });
    expect(await switchTo('S3')).toMatchObject({ status: 403 });
  });

  it('refuses a login that is not valid', async () => {
    expect(await switchTo('S2', { sid: 'unknown' })).toEqual(ENDED);
    expect(await switchTo('S2', { token: headers.authorization?.slice(7) })).toEqual(ENDED);
    await app.post('/internal/tokens/revoke', { token }, headers);
    expect(await switchTo('S2')).toEqual(ENDED);
    expect(await switchTo('S2', { sid: decodeJwt(token).sid })).toEqual(ENDED);
  });

  it('names the missing field', async () => {
    const missing = (field: string) => ({
      status: 422,
      body: { errors: [{ field, tag: 'required', message: `${field} is a required field` }] },
    });
    expect(await ask({ grant: 'session', store_id: 'S1' })).toEqual(missing('token'));
    expect(await ask({ grant: 'session', token })).toEqual(missing('store_id'));
    expect(await ask({ grant: 'refresh', sid: 'x' })).toEqual(missing('token'));
    expect(await ask({ grant: 'challenge', user_id: OWNER.user_id })).toEqual(missing('challenge'));
  });
});

describe('grant refresh', () => {
  it('gives the next access token for the last one, even after it has expired', async () => {
    clock.advance(2 * HOUR);
    await renewServiceToken();
    const answer = await refresh(token);
    expect(answer).toEqual(granted('S1', 'agent'));
    expect(await check(grantIn(answer).access_token)).toBe(200);
    expect(await refresh(grantIn(answer).access_token)).toEqual(granted('S1', 'agent'));
  });

  it('leaves no more than a thousand refresh tokens that nobody uses, of which the newest is good', async () => {
    const { sid } = decodeJwt(token);
    const sidHash = createHash('sha256').update(String(sid)).digest('hex');
    const left = async () =>
      (await database.query(`SELECT 1 FROM refresh_tokens WHERE sid_hash = $1`, [sidHash])).length;
    await database.query(
      `INSERT INTO refresh_tokens (hash, sid_hash, expires_at) SELECT 'n' || n, $1, now() + interval '1 day' FROM generate_series(1, 998) n`,
      [sidHash],
    );
    const first = grantIn(await refresh(token));
    expect(await left()).toBe(1000);
    const second = grantIn(await refresh(first.access_token));
    expect(await left()).toBe(1);
    expect((await app.post('/api/refresh-token', { refresh_token: second.refresh_token })).status).toBe(200);
  });

  it('gives parallel tabs the same successor for thirty seconds', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(token)));
    clock.advance(29_000);
    const all = [...answers, await refresh(token)];
    expect(all[0]).toEqual(granted('S1', 'agent'));
    expect(all).toEqual(all.map(() => all[0]));
    clock.advance(1_000);
    expect(await refresh(token)).toEqual(ENDED);
    expect((await refresh(grantIn(all[0] as { body: unknown }).access_token)).status).toBe(200);
  });

  it('gives the successor of a token of create-token too, with a refresh token', async () => {
    const made = await app.post('/api/create-token', {}, bearer(token));
    const { token: successor } = (made.body as { data: { token: string } }).data;
    expect(grantIn(await refresh(token)).access_token).toBe(successor);
  });

  it('refuses a token before the last one, of an ended login, or after fourteen days', async () => {
    const second = grantIn(await refresh(token)).access_token;
    await refresh(second);
    expect(await refresh(token)).toEqual(ENDED);
    const other = (await app.login()).token;
    await app.post('/api/logout', {}, bearer(other));
    expect(await refresh(other)).toEqual(ENDED);
    expect(await refresh('no.such.token')).toEqual(ENDED);
    const last = (await app.login()).token;
    clock.advance(14 * 24 * HOUR);
    await renewServiceToken();
    expect(await refresh(last)).toEqual(ENDED);
  });

  it('leaves nothing readable in the database', async () => {
    const { access_token, refresh_token } = grantIn(await refresh(token));
    const rows = JSON.stringify(await database.query('SELECT * FROM auth_sessions, refresh_tokens'));
    expect([access_token, refresh_token].filter((secret) => rows.includes(secret))).toEqual([]);
  });
});

describe('tokens/revoke', () => {
  const revoke = async (body: object) => brief(await app.post('/internal/tokens/revoke', body, headers));
  const reply = (revoked: number) => ({
    status: 200,
    body: { status: 'success', message: 'token dicabut', data: { revoked } },
  });
  const agent = async (store_id = 'S1') =>
    (await app.login({ email: AGENT.email, password: PASSWORD, store_id })).token;

  it('ends one login by its token, expired or not, or by its sid, and nothing more on a repeat', async () => {
    const other = await agent();
    expect([await revoke({ token }), await revoke({ token }), await check(token)]).toEqual([reply(1), reply(0), 401]);
    expect(await revoke({ sid: decodeJwt(other).sid })).toEqual(reply(1));
    const expired = await agent();
    clock.advance(2 * HOUR);
    await renewServiceToken();
    expect(await revoke({ token: expired })).toEqual(reply(1));
    expect(await revoke({ token: 'no.such.token' })).toEqual(reply(0));
  });

  it('ends all logins of a user, or those in one store, or all but one', async () => {
    await database.query('TRUNCATE auth_sessions CASCADE');
    const [one, two, kept] = [await agent('S1'), await agent('S2'), await agent('S2')];
    expect(await revoke({ user_id: AGENT.user_id, store_id: 'S1' })).toEqual(reply(1));
    expect(await revoke({ user_id: AGENT.user_id, except_sid: decodeJwt(kept).sid })).toEqual(reply(1));
    expect(await Promise.all([one, two, kept].map(check))).toEqual([401, 401, 200]);
    expect(await revoke({ user_id: AGENT.user_id })).toEqual(reply(1));
  });

  it('refuses a call that names no login or user', async () =>
    expect(await revoke({ store_id: 'S1' })).toEqual({
      status: 422,
      body: { errors: [{ field: 'token', tag: 'required_without', message: 'token is a required field' }] },
    }));
});
