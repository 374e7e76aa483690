import { fixedClock } from '@platform/runtime';
import { Secret, TOTP, URI } from 'otpauth';
import { AGENT, bearer, brief, PASSWORD, useApp, type Answer } from '../../app.fixture';

const clock = fixedClock('2026-11-20T07:00:00Z');
const STEP = 30_000;
const IP = '203.0.113.7';
const PATH = `/internal/users/${AGENT.user_id}/two-factor`;
const error = (status: number, message: string, code?: string) => ({
  status,
  body: { status: 'error', message, ...(code ? { code } : {}) },
});
const WRONG = error(401, 'kode otp salah', 'otp_invalid');
const REQUIRED = error(401, 'kode otp diperlukan', 'otp_required');
const LOCKED = error(429, 'terlalu banyak percobaan');
const { app, database } = useApp({ clock, environment: { THROTTLE_EMAIL: '5/15m' } });
let headers: Record<string, string>;
let authenticator: TOTP;
let recovery: string[];

const dataOf = <Data>({ body }: Answer) => (body as { data: Data }).data;
/** By an independent implementation. */
const code = (steps = 0): string => authenticator.generate({ timestamp: clock.now().getTime() + steps * STEP });
const login = async (more: object = {}) =>
  brief(await app.post('/api/login', { email: AGENT.email, password: PASSWORD, ...more }));
const begin = (password = PASSWORD) => app.post(PATH, { password }, headers);
const confirm = (otp: string) => app.put(PATH, { otp }, headers);

beforeEach(async () => {
  await database.query(`UPDATE users SET totp_enc = NULL, totp_pending_enc = NULL, totp_last_step = NULL`);
  await database.query('TRUNCATE throttle, auth_events');
  headers = bearer(await app.serviceToken('commerce-api'));
  authenticator = new TOTP({ secret: Secret.fromBase32(dataOf<{ secret: string }>(await begin()).secret) });
  recovery = dataOf<{ recovery_codes: string[] }>(await confirm(code())).recovery_codes;
  clock.advance(STEP);
});

describe('turning the second factor on', () => {
  beforeEach(() => database.query('UPDATE users SET totp_enc = NULL, totp_pending_enc = NULL'));

  it('begins with the password, and answers the key URI for an authenticator', async () => {
    expect(brief(await begin('wrong'))).toEqual(error(401, 'password salah', 'password_invalid'));
    const { secret, otpauth_url: url } = dataOf<{ secret: string; otpauth_url: string }>(await begin());
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const read = URI.parse(url) as TOTP;
    expect([read.secret.base32, read.label, read.issuer, read.period, read.digits, read.algorithm]).toEqual([
      ...[secret, AGENT.email, 'Nusa', 30, 6, 'SHA1'],
    ]);
  });

  it('takes effect only once a code was shown, and then answers the recovery codes once', async () => {
    expect(brief(await confirm('123456'))).toEqual(
      error(409, 'verifikasi dua langkah belum dimulai', 'two_factor_not_begun'),
    );
    authenticator = new TOTP({ secret: Secret.fromBase32(dataOf<{ secret: string }>(await begin()).secret) });
    expect((await login()).status).toBe(200);
    expect(brief(await confirm(code(5)))).toEqual(WRONG);
    const codes = Array<unknown>(10).fill(expect.stringMatching(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/));
    expect(brief(await confirm(code()))).toEqual({
      status: 200,
      body: { status: 'success', message: 'verifikasi dua langkah aktif', data: { recovery_codes: codes } },
    });
    expect(await login()).toEqual(REQUIRED);
    expect(brief(await begin())).toEqual(error(409, 'verifikasi dua langkah sudah aktif', 'two_factor_on'));
  });

  it('refuses an unknown user', async () => {
    for (const id of ['0190b5a0-0000-7000-8000-00000000ffff', 'nonsense'])
      expect(brief(await app.post(`/internal/users/${id}/two-factor`, { password: 'x' }, headers))).toEqual(
        error(404, 'pengguna tidak ditemukan', 'user_not_found'),
      );
  });
});

describe('a login with a second factor', () => {
  it('is asked for it only after the right password', async () => {
    expect(await login({ password: 'wrong', otp: code() })).toEqual(error(401, 'email atau password salah'));
    expect(await login()).toEqual(REQUIRED);
    expect(await login({ otp: '000000' })).toEqual(WRONG);
    expect((await login({ otp: code() })).status).toBe(200);
  });

  it('accepts the code of this half minute, the one before and the one after, and no other', async () => {
    const outcomes: number[] = [];
    for (const steps of [-2, 2, -1, 0, 1]) {
      outcomes.push((await login({ otp: code(steps) })).status);
      await database.query('TRUNCATE throttle');
    }
    expect(outcomes).toEqual([401, 401, 401, 200, 200]);
    clock.advance(3 * STEP);
    expect((await login({ otp: code(-1) })).status).toBe(200);
  });

  it('accepts every code once, even when it is sent many times at once', async () => {
    const otp = code();
    const answers = await Promise.all(Array.from({ length: 5 }, () => login({ otp })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    await database.query('TRUNCATE throttle');
    expect(await login({ otp })).toEqual(WRONG);
    expect(await login({ otp: code(-1) })).toEqual(WRONG);
  });

  it('accepts every recovery code once, in any spelling', async () => {
    const [first = '', second = ''] = recovery;
    expect((await login({ otp: first })).status).toBe(200);
    expect(await login({ otp: first })).toEqual(WRONG);
    expect((await login({ otp: ` ${second.toLowerCase().replaceAll('-', ' ')}` })).status).toBe(200);
    expect(await database.query(`SELECT 1 FROM auth_events WHERE type = 'recovery_code_used'`)).toHaveLength(2);
  });

  it('is locked after five wrong codes, which the right password does not reset', async () => {
    for (let n = 0; n < 5; n++) {
      expect(await login()).toEqual(REQUIRED);
      expect(await login({ otp: '000000' })).toEqual(WRONG);
    }
    expect(await login({ otp: code() })).toEqual(LOCKED);
    expect(
      await database.query('SELECT type, count(*)::int AS n FROM auth_events GROUP BY type ORDER BY type'),
    ).toEqual([
      { type: 'account_locked', n: 1 },
      { type: 'otp_failed', n: 5 },
      { type: 'two_factor_on', n: 1 },
    ]);
  });
});

describe('verify-otp', () => {
  const challenge = async () =>
    dataOf<{ challenge: string }>(
      await app.post('/internal/verify-credentials', { email: AGENT.email, password: PASSWORD, ip: IP }, headers),
    ).challenge;
  const verify = async (body: object) => brief(await app.post('/internal/verify-otp', body, headers));
  const redeem = async (given: string) =>
    brief(await app.post('/internal/tokens', { grant: 'challenge', challenge: given }, headers));

  it('makes a challenge valid for tokens', async () => {
    const given = await challenge();
    expect((await redeem(given)).status).toBe(401);
    expect(await verify({ challenge: given, otp: '000000' })).toEqual({
      status: 200,
      body: { status: 'success', message: 'kode diperiksa', data: { valid: false } },
    });
    const answer = await verify({ challenge: given, otp: code() });
    expect(answer).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'kode diperiksa',
        data: {
          valid: true,
          challenge: given,
          user: expect.objectContaining({ user_id: AGENT.user_id, two_factor: true }),
          memberships: [{ store_id: 'S1', role: 'agent', teams: ['3'], status: 'active' }],
        },
      },
    });
    expect((await redeem(given)).status).toBe(200);
    const REPLAYED = error(401, 'challenge tidak berlaku', 'challenge_invalid');
    expect(await verify({ challenge: given, otp: code(1) })).toEqual(REPLAYED);
  });

  it('accepts a recovery code as well, and counts wrong ones with the login', async () => {
    const given = await challenge();
    expect((await verify({ challenge: given, recovery_code: recovery[0] })).body).toMatchObject({
      data: { valid: true },
    });
    const other = await challenge();
    for (let n = 0; n < 5; n++) await verify({ challenge: other, recovery_code: 'AAAA-BBBB-CCCC-DDDD' });
    expect(await verify({ challenge: other, otp: code() })).toEqual(LOCKED);
    expect(await login({ otp: code() })).toEqual(LOCKED);
    expect(await database.query(`SELECT key FROM throttle WHERE key = 'address ${IP}'`)).toHaveLength(1);
  });
});

describe('turning the second factor off', () => {
  const turnOff = async (body: object) => brief(await app.delete(PATH, body, headers));

  it('needs one last code, or a recovery code', async () => {
    expect(await turnOff({})).toEqual({
      status: 422,
      body: { errors: [{ field: 'otp', tag: 'required_without', message: 'otp is a required field' }] },
    });
    expect(await turnOff({ otp: '000000' })).toEqual(WRONG);
    expect(await turnOff({ recovery_code: recovery[0] })).toEqual({
      status: 200,
      body: { status: 'success', message: 'verifikasi dua langkah dimatikan' },
    });
    expect((await login()).status).toBe(200);
    expect(await turnOff({ otp: code() })).toEqual(error(409, 'verifikasi dua langkah tidak aktif', 'two_factor_off'));
  });
});

it('a second factor is stored sealed, and its recovery codes as hashes', async () => {
  const stored = JSON.stringify(await database.query('SELECT * FROM users'));
  const secrets = [authenticator.secret.base32, ...recovery, ...recovery.map((each) => each.replaceAll('-', ''))];
  expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
});
