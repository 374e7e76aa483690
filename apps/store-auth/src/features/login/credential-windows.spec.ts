import { sidHashOf } from '@platform/auth';
import type { Sql } from '@platform/data';
import { until, lockWaiters } from '@platform/testing';
import { decodeJwt } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { AGENT, bearer, brief, PASSWORD, useTwoApps, type Answer } from '../../app.fixture';

const NEXT_PASSWORD = 'the next good password';
const LOGIN = { email: AGENT.email, password: PASSWORD };
const USER = `/internal/users/${AGENT.user_id}`;
const { app, database, other, headers } = useTwoApps();

beforeEach(async () => {
  await database.query(
    `UPDATE users SET status = 'active', totp_enc = NULL, totp_pending_enc = NULL, totp_last_step = NULL, password_hash = $2 WHERE id = $1`,
    [AGENT.user_id, await app.parts.passwords.hash(PASSWORD)],
  );
  await database.query(`UPDATE memberships SET status = 'active', role = 'agent', teams = '{3}' WHERE user_id = $1`, [
    AGENT.user_id,
  ]);
});

const error = (message: string, code?: string) => ({
  status: 401,
  body: { status: 'error', message, ...(code ? { code } : {}) },
});
const dataOf = <Data>({ body }: Answer) => (body as { data: Data }).data;
const tokenOf = async (asked: object = LOGIN) => (await app.login(asked)).token;
const codeFor = async (purpose: string) =>
  dataOf<{ code_id: string; code: string }>(
    await other.post('/internal/verification-codes', { user_id: AGENT.user_id, purpose }, headers),
  );
const consume = (code: object, more: object = {}) =>
  other.post(
    '/internal/verification-codes/consume',
    { ...code, purpose: 'reset_password', password: NEXT_PASSWORD, ...more },
    headers,
  );
const reset = async () => consume(await codeFor('reset_password'));
const authenticatorOf = async () => {
  const { secret } = dataOf<{ secret: string }>(
    await other.post(`${USER}/two-factor`, { password: PASSWORD }, headers),
  );
  return new TOTP({ secret: Secret.fromBase32(secret) });
};

/** Runs `act`, and changes what it has read up to its password check before it goes on. */
const duringCheck = async (act: () => Promise<Answer>, change: () => Promise<Answer>): Promise<Answer> => {
  const matches = app.parts.passwords.matches.bind(app.parts.passwords);
  const held = jest.spyOn(app.parts.passwords, 'matches').mockImplementationOnce(async (stored, password) => {
    const answer = await matches(stored, password);
    expect((await change()).status).toBe(200);
    return answer;
  });
  const answer = await act();
  held.mockRestore();
  return answer;
};

/** Runs `act` while a change is not committed yet; it is answered after the commit. */
const duringChange = async (change: (sql: Sql) => Promise<unknown>, act: () => Promise<Answer>): Promise<Answer> => {
  let settled = false;
  const { acting } = await database.tx(async (tx) => {
    await change(tx);
    const begun = act().finally(() => (settled = true));
    await until(async () => settled || (await lockWaiters(tx)) > 0);
    return { acting: begun };
  });
  return acting;
};

const changed = (sql: Sql, set: string) => sql.query(`UPDATE users SET ${set} WHERE id = $1`, [AGENT.user_id]);
/** As a change of the team does. */
const inTeam = async (sql: Sql, set: string) => {
  await sql.query(`SELECT 1 FROM stores WHERE store_id = 'S1' FOR UPDATE`);
  await sql.query(`UPDATE memberships SET ${set} WHERE store_id = 'S1' AND user_id = $1`, [AGENT.user_id]);
};

describe('a request whose password was checked', () => {
  it('is asked for a second factor that was turned on meanwhile', async () => {
    const authenticator = await authenticatorOf();
    const turnOn = () => other.put(`${USER}/two-factor`, { otp: authenticator.generate() }, headers);
    const answer = await duringCheck(() => app.post('/api/login', LOGIN), turnOn);
    expect(brief(answer)).toEqual(error('email atau password salah'));
    expect(brief(await app.post('/api/login', LOGIN))).toEqual(error('kode otp diperlukan', 'otp_required'));
  });

  it('does not undo a reset by changing the password', async () => {
    const change = { password: 'what the thief wants', current_password: PASSWORD };
    const answer = await duringCheck(() => app.put(`${USER}/password`, change, headers), reset);
    expect(brief(answer)).toEqual(error('password salah', 'password_invalid'));
    expect((await app.post('/api/login', { ...LOGIN, password: NEXT_PASSWORD })).status).toBe(200);
  });

  it('neither begins nor completes a second factor once the password was reset', async () => {
    await authenticatorOf();
    const answer = await duringCheck(() => app.post(`${USER}/two-factor`, { password: PASSWORD }, headers), reset);
    expect(brief(answer)).toEqual(error('password salah', 'password_invalid'));
    expect(await database.query('SELECT totp_pending_enc FROM users WHERE id = $1', [AGENT.user_id])).toEqual([
      { totp_pending_enc: null },
    ]);
  });

  it('does not restore a password that was reset by rehashing it', async () => {
    const weak = jest.spyOn(app.parts.passwords, 'isWeak').mockReturnValueOnce(true);
    const hash = app.parts.passwords.hash.bind(app.parts.passwords);
    const held = jest.spyOn(app.parts.passwords, 'hash').mockImplementationOnce(async (password) => {
      await reset();
      return hash(password);
    });
    expect((await app.post('/api/login', LOGIN)).status).toBe(401);
    for (const spy of [weak, held]) spy.mockRestore();
    expect((await app.post('/api/login', LOGIN)).status).toBe(401);
    expect((await app.post('/api/login', { ...LOGIN, password: NEXT_PASSWORD })).status).toBe(200);
  });
});

describe('while another change is not committed', () => {
  it('a change of the name does not let a disabled user in again', async () => {
    const rename = () => app.put(USER, { nama: 'Rina' }, headers);
    await duringChange((sql) => changed(sql, `status = 'disabled'`), rename);
    expect(await database.query('SELECT status FROM users WHERE id = $1', [AGENT.user_id])).toEqual([
      { status: 'disabled' },
    ]);
  });

  it('a challenge of the former password does not become a login', async () => {
    const asked = { ...LOGIN, ip: '203.0.113.7' };
    const { challenge } = dataOf<{ challenge: string }>(await app.post('/internal/verify-credentials', asked, headers));
    const answer = await duringChange(
      async (sql) => {
        await changed(sql, 'credential_version = credential_version + 1');
        await sql.query('DELETE FROM challenges WHERE user_id = $1', [AGENT.user_id]);
      },
      () => app.post('/internal/tokens', { grant: 'challenge', challenge }, headers),
    );
    expect(brief(answer)).toEqual(error('challenge tidak berlaku', 'challenge_invalid'));
  });

  it('one of two codes that reset the same password is accepted', async () => {
    const codes = [await codeFor('reset_password'), await codeFor('invite')];
    const answers = await Promise.all([
      consume(codes[0] ?? {}),
      consume(codes[1] ?? {}, { purpose: 'invite', password: 'what the thief wants' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('a code turns on the second factor it belongs to, and no other', async () => {
    const authenticator = await authenticatorOf();
    const answer = await duringChange(
      (sql) => changed(sql, `totp_pending_enc = 'another'`),
      () => app.put(`${USER}/two-factor`, { otp: authenticator.generate() }, headers),
    );
    expect(answer.status).toBe(409);
    expect(await database.query('SELECT totp_enc FROM users WHERE id = $1', [AGENT.user_id])).toEqual([
      { totp_enc: null },
    ]);
  });

  it.each([
    ['create-token', (token: string) => app.post('/api/create-token', {}, bearer(token)), 'token'],
    [
      'a preview token',
      (token: string) =>
        app.post('/api/create-token', { purpose: 'preview', referer: 'https://a.example' }, bearer(token)),
      'token',
    ],
    [
      'a refresh grant',
      (token: string) => app.post('/internal/tokens', { grant: 'refresh', token }, headers),
      'access_token',
    ],
    [
      'a session grant',
      (token: string) => app.post('/internal/tokens', { grant: 'session', token, store_id: 'S1' }, headers),
      'access_token',
    ],
  ])('%s gives no token with the former teams', async (_, act, field) => {
    const token = await tokenOf();
    const answer = await duringChange(
      (sql) => inTeam(sql, `teams = '{4}'`),
      () => act(token),
    );
    expect(decodeJwt(dataOf<Record<string, string>>(answer)[field] ?? '')).toMatchObject({ teams: ['4'] });
  });

  it('a refresh token gives no token with the former teams, and none for a login that ends', async () => {
    const { refresh_token: first } = await app.login(LOGIN);
    const answer = await duringChange(
      (sql) => inTeam(sql, `teams = '{4}'`),
      () => app.post('/api/refresh-token', { refresh_token: first }),
    );
    const { token, refresh_token: second } = dataOf<{ token: string; refresh_token: string }>(answer);
    expect(decodeJwt(token)).toMatchObject({ teams: ['4'] });
    const ended = await duringChange(
      (sql) =>
        sql.query('UPDATE auth_sessions SET revoked_at = now() WHERE sid_hash = $1', [
          sidHashOf(String(decodeJwt(token).sid)),
        ]),
      () => app.post('/api/refresh-token', { refresh_token: second }),
    );
    expect(ended.status).toBe(401);
  });
});
