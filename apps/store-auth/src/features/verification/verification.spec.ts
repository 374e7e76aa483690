import { fixedClock } from '@platform/runtime';
import { Secret, TOTP } from 'otpauth';
import { AGENT, bearer, brief, OWNER, PASSWORD, useApp } from '../../app.fixture';

const clock = fixedClock('2026-11-20T07:00:00Z');
const INVALID = { status: 401, body: { status: 'error', message: 'kode tidak berlaku', code: 'code_invalid' } };
const HOUR = 3600_000;
const { app, database } = useApp({ clock });
let headers: Record<string, string>;

beforeEach(async () => {
  headers = bearer(await app.serviceToken('commerce-api'));
  await database.query(`UPDATE users SET email_verified_at = NULL, phone_verified_at = NULL, phone = '628110000002'`);
});

interface Issued {
  readonly code_id: string;
  readonly code: string;
  readonly expires_in: number;
  readonly deliver: boolean;
}

const issue = async (purpose: string, who: object = { email: AGENT.email }): Promise<Issued> =>
  ((await app.post('/internal/verification-codes', { ...who, purpose }, headers)).body as { data: Issued }).data;
const consume = async (body: object) => brief(await app.post('/internal/verification-codes/consume', body, headers));
const DONE = {
  status: 200,
  body: { status: 'success', message: 'kode diterima', data: { user_id: AGENT.user_id } },
};
/** Sets a password without a proof, whatever the test before has left. */
const passwordNow = async (): Promise<string> => {
  await database.query('UPDATE users SET password_hash = $1', [await app.parts.passwords.hash(PASSWORD)]);
  return PASSWORD;
};
/** The second factor of the user. */
const turnOn = async (): Promise<void> => {
  const two = `/internal/users/${AGENT.user_id}/two-factor`;
  const begun = await app.post(two, { password: await passwordNow() }, headers);
  const { secret } = (begun.body as { data: { secret: string } }).data;
  const otp = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now().getTime() });
  expect((await app.put(two, { otp }, headers)).status).toBe(200);
};
const marks = () =>
  database.query(
    `SELECT email_verified_at IS NOT NULL AS email, phone_verified_at IS NOT NULL AS phone FROM users WHERE id = $1`,
    [AGENT.user_id],
  );

describe('a verification code', () => {
  it('is answered to the calling service, which delivers it, and stored as a hash', async () => {
    expect(await issue('phone')).toEqual({
      code_id: expect.any(String),
      code: expect.stringMatching(/^\d{6}$/),
      expires_in: 600,
      deliver: true,
    });
    const { code } = await issue('verify_email', { user_id: AGENT.user_id });
    expect(code).toMatch(/^[A-HJKMNP-Z2-9]{10}$/);
    expect(JSON.stringify(await database.query('SELECT * FROM verification_codes'))).not.toContain(code);
  });

  it('for an unknown e-mail or number looks the same, and never matches', async () => {
    const cases = [
      await issue('reset_password', { email: 'nobody@toko-nusa.example' }),
      await issue('invite', { user_id: '0190b5a0-0000-7000-8000-00000000ffff' }),
    ];
    await database.query('UPDATE users SET phone = NULL');
    cases.push(await issue('phone', { user_id: AGENT.user_id }));
    await database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [AGENT.user_id]);
    cases.push(await issue('reset_password'));
    await database.query(`UPDATE users SET status = 'active'`);
    expect(cases.map(({ deliver }) => deliver)).toEqual([false, false, false, false]);
    const purposes = ['reset_password', 'invite', 'phone', 'reset_password'];
    for (const [n, { code_id, code }] of cases.entries())
      expect(await consume({ code_id, code, purpose: purposes[n], password: 'my next password' })).toEqual(INVALID);
  });

  it('marks e-mail or phone number as verified, typed or as a link', async () => {
    const mail = await issue('verify_email');
    expect(await consume({ token: `${mail.code_id}.${mail.code}`, purpose: 'verify_email' })).toEqual(DONE);
    expect(await marks()).toEqual([{ email: true, phone: false }]);
    const phone = await issue('phone');
    expect(await consume({ code_id: phone.code_id, code: ` ${phone.code} `, purpose: 'phone' })).toEqual(DONE);
    expect(await marks()).toEqual([{ email: true, phone: true }]);
  });

  it('sets the password and ends every login, all or nothing', async () => {
    await database.query('UPDATE users SET email_verified_at = now()');
    const { token } = await app.login({ email: AGENT.email, password: PASSWORD });
    const { code_id, code } = await issue('reset_password');
    const reset = (password?: string) => consume({ code_id, code, purpose: 'reset_password', password });
    expect(await reset()).toEqual({
      status: 422,
      body: { errors: [{ field: 'password', tag: 'required', message: 'password is a required field' }] },
    });
    expect((await reset('qwertyuiop')).status).toBe(422);
    expect(await reset('my next password')).toEqual(DONE);
    expect((await app.post('/api/check-validate-token', { token })).status).toBe(401);
    expect((await app.post('/api/login', { email: AGENT.email, password: 'my next password' })).status).toBe(200);
    expect(await database.query(`SELECT type FROM auth_events WHERE type = 'password_reset'`)).toHaveLength(1);
  });

  it.each([
    ['a stranger may have registered it', 'NULL', { status: 200 }],
    ['unless the address was proved before', 'now()', { status: 401, code: 'otp_required' }],
  ])('that resets the password turns the second factor off: %s', async (_why, verified, answer) => {
    await turnOn();
    await database.query(`UPDATE users SET email_verified_at = ${verified}`);
    const { code_id, code } = await issue('reset_password');
    const password = 'only the owner knows';
    expect(await consume({ code_id, code, purpose: 'reset_password', password })).toEqual(DONE);
    const { status, body } = await app.post('/api/login', { email: AGENT.email, password });
    expect({ status, code: (body as { code?: string }).code }).toEqual({ code: undefined, ...answer });
    await database.query(`UPDATE users SET totp_enc = NULL, totp_last_step = NULL`);
  });

  it('that resets the password leaves the second factor on after a change of the address: whoever made it is not its owner', async () => {
    await database.query('UPDATE users SET email_verified_at = now()');
    await turnOn();
    const user = `/internal/users/${AGENT.user_id}`;
    const email = 'another@toko-nusa.example';
    expect((await app.put(user, { email }, headers)).status).toBe(200);
    const issued = await app.post(
      '/internal/verification-codes',
      { user_id: AGENT.user_id, purpose: 'reset_password' },
      headers,
    );
    const { code_id, code } = (issued.body as { data: { code_id: string; code: string } }).data;
    const password = 'of whoever changed it';
    expect(await consume({ code_id, code, purpose: 'reset_password', password })).toEqual(DONE);
    expect(brief(await app.post('/api/login', { email, password }))).toMatchObject({ body: { code: 'otp_required' } });
    expect((await app.put(user, { email: AGENT.email, email_verified: true }, headers)).status).toBe(200);
    await database.query(`UPDATE users SET totp_enc = NULL, totp_last_step = NULL`);
    await database.query(`DELETE FROM auth_events WHERE type = 'email_changed'`);
  });

  it('lets an invited user choose a password', async () => {
    const { code_id, code } = await issue('invite');
    expect(await consume({ code_id, code, purpose: 'invite', password: PASSWORD })).toEqual(DONE);
    expect((await app.post('/api/login', { email: AGENT.email, password: PASSWORD })).status).toBe(200);
  });

  it('is accepted once, even when it is sent many times at once', async () => {
    const { code_id, code } = await issue('verify_email');
    const use = () => consume({ code_id, code, purpose: 'verify_email' });
    const answers = await Promise.all(Array.from({ length: 5 }, use));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  });

  it('is void after five wrong tries', async () => {
    const { code_id, code } = await issue('verify_email');
    for (let n = 0; n < 4; n++) await consume({ code_id, code: 'WRONG', purpose: 'verify_email' });
    expect(await consume({ code_id, code, purpose: 'verify_email' })).toEqual(DONE);
    const next = await issue('verify_email');
    const tries = Array.from({ length: 5 }, () => consume({ ...next, code: 'WRONG', purpose: 'verify_email' }));
    expect(await Promise.all(tries)).toEqual(Array(5).fill(INVALID));
    expect(await consume({ ...next, purpose: 'verify_email' })).toEqual(INVALID);
  });

  it('is valid only for its purpose and address, until it expires or the next one is sent', async () => {
    const other = await issue('verify_email');
    expect(await consume({ ...other, purpose: 'invite' })).toEqual(INVALID);
    const late = await issue('verify_email');
    clock.advance(24 * HOUR);
    headers = bearer(await app.serviceToken('commerce-api'));
    expect(await consume({ ...late, purpose: 'verify_email' })).toEqual(INVALID);
    const [former] = [await issue('verify_email'), await issue('verify_email')];
    expect(await consume({ ...former, purpose: 'verify_email' })).toEqual(INVALID);
    const moved = await issue('verify_email');
    await app.put(`/internal/users/${AGENT.user_id}`, { email: 'rina2@toko-nusa.example' }, headers);
    expect(await consume({ ...moved, purpose: 'verify_email' })).toEqual(INVALID);
    await app.put(`/internal/users/${AGENT.user_id}`, { email: AGENT.email }, headers);
  });

  it.each([
    [
      { purpose: 'phone' },
      [
        { field: 'code_id', tag: 'required_without', message: 'code_id is a required field' },
        { field: 'code', tag: 'required_without', message: 'code is a required field' },
      ],
    ],
    [
      { token: 'x', purpose: 'login' },
      [
        {
          field: 'purpose',
          tag: 'oneof',
          message: 'purpose must be one of [verify_email reset_password invite phone]',
        },
      ],
    ],
  ])('is refused with the invalid fields, case %#', async (body, errors) =>
    expect(await consume(body)).toEqual({ status: 422, body: { errors } }),
  );

  it('is refused when it is malformed', async () => {
    for (const token of ['x', '.', 'a.b', `${OWNER.user_id}.`])
      expect(await consume({ token, purpose: 'phone' })).toEqual(INVALID);
  });
});
