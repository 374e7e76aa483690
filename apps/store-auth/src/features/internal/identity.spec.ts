import { fixedClock } from '@platform/runtime';
import { decodeJwt } from 'jose';
import { AGENT, bearer, brief, OWNER, OWNER_LOGIN, PASSWORD, useApp, userView } from '../../app.fixture';
import { ChallengeRepository } from './challenge.repository';

const clock = fixedClock('2026-11-20T07:00:00Z');
const IP = '203.0.113.7';
const REFUSED = {
  status: 401,
  body: { status: 'error', message: 'challenge tidak berlaku', code: 'challenge_invalid' },
};
const CHANGED = { password: 'another good password', current_password: PASSWORD };
const { app, database } = useApp({ clock, environment: { THROTTLE_EMAIL: '5/15m' } });
let headers: Record<string, string>;

beforeEach(async () => {
  headers = bearer(await app.serviceToken('commerce-api'));
});

const verify = (body: object) => app.post('/internal/verify-credentials', { ip: IP, ...body }, headers);
const redeem = async (challenge: string, more: object = {}) =>
  brief(await app.post('/internal/tokens', { grant: 'challenge', challenge, ...more }, headers));
const challengeFor = async (body: object = OWNER_LOGIN) =>
  ((await verify(body)).body as { data: { challenge: string } }).data.challenge;

describe('verify-credentials', () => {
  it('answers the user, the memberships and a challenge', async () => {
    await database.query(`UPDATE users SET phone = '628110000002' WHERE id = $1`, [AGENT.user_id]);
    expect(brief(await verify({ email: AGENT.email, password: PASSWORD, user_agent: 'Firefox' }))).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'kredensial diperiksa',
        data: {
          valid: true,
          otp_required: false,
          challenge: expect.stringMatching(/^[\w-]{43}$/),
          user: userView({
            user_id: AGENT.user_id,
            email: AGENT.email,
            nama: 'Rina',
            phone: '628110000002',
            email_verified: true,
          }),
          memberships: [{ store_id: 'S1', role: 'agent', teams: ['3'], status: 'active' }],
        },
      },
    });
  });

  it('accepts a user id instead of an e-mail', async () =>
    expect((await verify({ user_id: OWNER.user_id, password: PASSWORD })).body).toMatchObject({
      data: { valid: true },
    }));

  it('answers wrong, unknown and disabled alike as not valid', async () => {
    await database.query(
      `INSERT INTO users (id, email, nama, password_hash, status) VALUES (gen_random_uuid(), 'gone@toko-nusa.example', 'Gone', $1, 'disabled')`,
      [await app.parts.passwords.hash(PASSWORD)],
    );
    const answers = await Promise.all(
      [
        { email: OWNER.email, password: 'wrong' },
        { email: 'nobody@toko-nusa.example', password: PASSWORD },
        { email: 'gone@toko-nusa.example', password: PASSWORD },
        { user_id: '0190b5a0-0000-7000-8000-00000000ffff', password: PASSWORD },
      ].map(verify),
    );
    const refused = { status: 'success', message: 'kredensial diperiksa', data: { valid: false } };
    expect(answers.map(brief)).toEqual(answers.map(() => ({ status: 200, body: refused })));
  });

  it('shares its limits with the login, and counts the address of the end user', async () => {
    const victim = { email: 'victim@toko-nusa.example', password: 'wrong' };
    for (let n = 0; n < 3; n++) await verify(victim);
    for (let n = 0; n < 2; n++) await app.post('/api/login', victim);
    const locked = await verify(victim);
    expect(brief(locked)).toEqual({ status: 429, body: { status: 'error', message: 'terlalu banyak percobaan' } });
    expect(locked.headers.get('retry-after')).toBe('60');
    expect(await database.query(`SELECT key FROM throttle WHERE key = 'address ${IP}'`)).toHaveLength(1);
  });

  it.each([
    [{ password: 'x' }, [{ field: 'email', tag: 'required_without', message: 'email is a required field' }]],
    [
      { email: OWNER.email, password: 'x', ip: 'localhost' },
      [{ field: 'ip', tag: 'ip', message: 'ip must be a valid IP address' }],
    ],
    [{ user_id: '7', password: 'x' }, [{ field: 'user_id', tag: 'uuid', message: 'user_id must be a valid UUID' }]],
  ])('refuses the body %j', async (body, errors) =>
    expect(brief(await verify(body))).toEqual({ status: 422, body: { errors } }),
  );
});

describe('a challenge', () => {
  it('buys one login, with the address and user agent of the person', async () => {
    const challenge = await challengeFor({ ...OWNER_LOGIN, user_agent: 'Firefox' });
    const answer = await redeem(challenge, { kind: 'web' });
    expect(answer).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'token dibuat',
        data: {
          access_token: expect.any(String),
          token_type: 'Bearer',
          expires_in: 3600,
          refresh_token: expect.stringMatching(/^[\w-]{43}\.[\w-]{43}$/),
          sid: expect.stringMatching(/^[\w-]{43}$/),
          store_id: 'S1',
          role: 'owner',
        },
      },
    });
    const { access_token: token } = (answer.body as { data: { access_token: string } }).data;
    expect((await app.post('/api/check-validate-token', { token })).status).toBe(200);
    expect(
      await database.query('SELECT kind, ip, user_agent FROM auth_sessions WHERE current_jti = $1', [
        decodeJwt(token).jti,
      ]),
    ).toEqual([{ kind: 'web', ip: IP, user_agent: 'Firefox' }]);
    expect(await redeem(challenge)).toEqual(REFUSED);
  });

  it('buys one login even when it is sent twice at once', async () => {
    const challenge = await challengeFor();
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeem(challenge)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(401)]);
  });

  it('is valid for five minutes', async () => {
    const challenge = await challengeFor();
    clock.advance(5 * 60_000);
    expect(await redeem(challenge)).toEqual(REFUSED);
  });

  it('is invalid without the second factor, or once the user is disabled', async () => {
    const [first, second] = [await challengeFor(), await challengeFor()];
    await database.query('UPDATE challenges SET needs_otp = true');
    expect(await redeem(first)).toEqual(REFUSED);
    await database.query('UPDATE challenges SET needs_otp = false');
    await database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [OWNER.user_id]);
    expect(await redeem(second)).toEqual(REFUSED);
    await database.query(`UPDATE users SET status = 'active' WHERE id = $1`, [OWNER.user_id]);
    expect((await redeem(second)).status).toBe(200);
  });

  it.each([
    ['password', () => app.put(`/internal/users/${OWNER.user_id}/password`, CHANGED, headers)],
    ['state', () => app.put(`/internal/users/${OWNER.user_id}`, { status: 'disabled' }, headers)],
  ])('ends with the %s of its user, as do the codes that were sent', async (_, change) => {
    const challenge = await challengeFor();
    const issue = { user_id: OWNER.user_id, purpose: 'reset_password' };
    const { data } = (await app.post('/internal/verification-codes', issue, headers)).body as { data: object };
    expect((await change()).status).toBe(200);
    await database.query(`UPDATE users SET status = 'active', password_hash = $1 WHERE id = $2`, [
      await app.parts.passwords.hash(PASSWORD),
      OWNER.user_id,
    ]);
    expect(await redeem(challenge)).toEqual(REFUSED);
    const reset = { ...data, purpose: 'reset_password', password: 'yet another password' };
    expect((await app.post('/internal/verification-codes/consume', reset, headers)).status).toBe(401);
    const proofs = 'SELECT user_id FROM challenges UNION ALL SELECT user_id FROM verification_codes';
    expect(await database.query(`SELECT 1 FROM (${proofs}) p WHERE user_id = $1`, [OWNER.user_id])).toEqual([]);
  });

  it('is not issued for a password that was changed during the check', async () => {
    const matches = app.parts.passwords.matches.bind(app.parts.passwords);
    const held = jest.spyOn(app.parts.passwords, 'matches').mockImplementationOnce(async (stored, password) => {
      const answer = await matches(stored, password);
      await database.query('UPDATE users SET credential_version = credential_version + 1 WHERE id = $1', [
        OWNER.user_id,
      ]);
      return answer;
    });
    const answer = await verify(OWNER_LOGIN);
    held.mockRestore();
    expect(answer.body).toEqual({ status: 'success', message: 'kredensial diperiksa', data: { valid: false } });
  });

  it('stays unused when it is redeemed for a store that its user is not in', async () => {
    const challenge = await challengeFor();
    expect(await redeem(challenge, { store_id: 'S9' })).toEqual({
      status: 401,
      body: { status: 'error', message: 'bukan anggota toko', code: 'not_a_member' },
    });
    expect((await redeem(challenge, { store_id: 'S1' })).status).toBe(200);
  });

  it('is stored as a hash only', async () => {
    const challenge = await challengeFor();
    expect(JSON.stringify(await database.query('SELECT * FROM challenges'))).not.toContain(challenge);
  });
});

it('no grant accepts a bare user id', async () => {
  const answer = await app.post('/internal/tokens', { grant: 'user', user_id: OWNER.user_id }, headers);
  expect(brief(answer)).toEqual({
    status: 422,
    body: {
      errors: [{ field: 'grant', tag: 'oneof', message: 'grant must be one of [challenge session refresh]' }],
    },
  });
});

it("many challenges redeemed at once do not wait for each other's connections", async () => {
  const challenges = await Promise.all(
    Array.from({ length: 30 }, () => app.parts.database.tx((tx) => challengeRow(tx))),
  );
  const answers = await Promise.all(challenges.map((challenge = '') => redeem(challenge)));
  expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(200));
});

const challengeRow = async (tx: Parameters<ChallengeRepository['create']>[0]) => {
  const [owner] = await tx.query<{ version: number }>('SELECT credential_version AS version FROM users WHERE id = $1', [
    OWNER.user_id,
  ]);
  const verified = { id: OWNER.user_id, credentialVersion: owner?.version ?? 0 };
  const until = new Date(clock.now().getTime() + 60_000);
  return new ChallengeRepository().create(tx, verified, { address: IP }, { otp: false, until });
};
