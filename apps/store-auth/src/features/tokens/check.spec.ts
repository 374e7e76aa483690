import { createHmac, createPublicKey } from 'node:crypto';
import { generateSigningKey, signClaims, type SigningKey } from '@platform/auth';
import { tokenTypes, type Claims, type TokenType } from '@platform/contracts';
import { fixedClock } from '@platform/runtime';
import { decodeJwt } from 'jose';
import { AGENT, bearer, brief, OWNER, PASSWORD, useApp } from '../../app.fixture';

const START = '2026-11-20T07:00:00Z';
const INVALID = { status: 401, body: { status: 'invalid', message: 'token tidak valid' } };
const EXPIRED = { status: 401, body: { status: 'ekspired', message: 'token ekspired' } };
const NONE = {
  status: 422,
  body: { errors: [{ field: 'token', tag: 'required', message: 'token is a required field' }] },
};
const ROUTES = ['/api/check-validate-token', '/api/checktoken'];
const clock = fixedClock(START);
const { app, database } = useApp({ clock });
let foreignKey: SigningKey;
let token: string;
let claims: Claims;

beforeAll(async () => {
  foreignKey = await generateSigningKey();
});
beforeEach(async () => {
  token = (await app.login()).token;
  claims = decodeJwt<Claims>(token);
});

const check = async (given: string, route = ROUTES[0]) => brief(await app.post(String(route), { token: given }));
const onBoth = (given: string) => Promise.all(ROUTES.map((route) => check(given, route)));
const forged = (changes: Partial<Claims>, type: TokenType = tokenTypes.access, key = app.parts.ring.current()) =>
  signClaims(key, type, { ...claims, ...changes });
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const HOUR = 3600;

const data = { email: OWNER.email, store_id: 'S1', role: 'owner', expires_at: '2026-11-20T08:00:00.000Z' };

describe('a valid access token', () => {
  it('is accepted as bearer or in the body', async () => {
    const valid = { status: 200, body: { status: 'valid', message: 'token valid', data } };
    expect(await check(token)).toEqual(valid);
    expect(brief(await app.post('/api/check-validate-token', {}, bearer(token)))).toEqual(valid);
  });

  it('is described in full by checktoken', async () => {
    expect(await check(token, '/api/checktoken')).toEqual({
      status: 200,
      body: {
        status: 'valid',
        message: 'token valid',
        data: { ...data, type: 'access', sub: OWNER.user_id, sid: claims.sid, teams: [], iat: claims.iat },
      },
    });
  });

  it('in the body wins over one in the header', async () => {
    expect(brief(await app.post('/api/check-validate-token', { token: 'no.such.token' }, bearer(token)))).toEqual(
      INVALID,
    );
    expect((await app.post('/api/check-validate-token', { token }, bearer('no.such.token'))).status).toBe(200);
  });

  it("shows its holder's current role and teams, not the former ones", async () => {
    const agent = (await app.login({ email: AGENT.email, password: PASSWORD })).token;
    await database.query(`UPDATE memberships SET teams = '{4,5}', role = 'supervisor' WHERE user_id = $1`, [
      AGENT.user_id,
    ]);
    expect((await check(agent, '/api/checktoken')).body).toMatchObject({
      data: { role: 'supervisor', teams: ['4', '5'] },
    });
  });
});

describe('an expired token', () => {
  it('is "ekspired" after 30 seconds of skew', async () => {
    const at = (seconds: number) =>
      forged({ iat: claims.iat - HOUR, nbf: claims.iat - HOUR, exp: claims.iat - seconds });
    expect((await onBoth(at(29))).map(({ status }) => status)).toEqual([200, 200]);
    expect(await onBoth(at(30))).toEqual([EXPIRED, EXPIRED]);
  });

  it('is only invalid when anything else is wrong with it', async () => {
    const exp = claims.iat - HOUR;
    const wrong = [
      forged({ exp, aud: ['chat-backend'] }),
      forged({ exp, iss: 'ads-api' }),
      forged({ exp, sid: 'unknown' }),
      forged({ exp }, tokenTypes.access, foreignKey),
    ];
    expect(await Promise.all(wrong.map((each) => check(each)))).toEqual(wrong.map(() => INVALID));
  });
});

describe('an access token is invalid', () => {
  const nobody = { sub: AGENT.user_id };
  it.each<[string, () => string]>([
    ['that is none', () => 'no.such.token'],
    [
      'with alg none',
      () => `${base64url({ alg: 'none', kid: app.parts.ring.current().kid, typ: 'at+jwt' })}.${base64url(claims)}.`,
    ],
    [
      'with a forged signature',
      () => forged({}, tokenTypes.access, { ...foreignKey, kid: app.parts.ring.current().kid }),
    ],
    ['of an unknown key', () => forged({}, tokenTypes.access, foreignKey)],
    [
      'with changed claims',
      () => [token.split('.')[0], base64url({ ...claims, role: 'admin' }), token.split('.')[2]].join('.'),
    ],
    ['for another service', () => forged({ aud: ['chat-backend'] })],
    ['of another issuer', () => forged({ iss: 'ads-api' })],
    ['that is not valid yet', () => forged({ nbf: claims.nbf + 31 })],
    ['of another user than the login', () => forged(nobody)],
    ['for a store its user is not in', () => forged({ store_id: 'S9' })],
    ['of an unknown login', () => forged({ sid: 'unknown' })],
    ['of an unknown type', () => signClaims(app.parts.ring.current(), 'id+jwt' as TokenType, claims)],
  ])('%s', async (_, make) => expect(await onBoth(make())).toEqual([INVALID, INVALID]));

  it('signed HS256 with the public key', async () => {
    const { kid, privateKey } = app.parts.ring.current();
    const head = `${base64url({ alg: 'HS256', kid, typ: 'at+jwt' })}.${base64url(claims)}`;
    const pem = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' });
    const signature = createHmac('sha256', pem).update(head).digest('base64url');
    expect(await onBoth(`${head}.${signature}`)).toEqual([INVALID, INVALID]);
  });

  it.each([
    [
      'its login was revoked',
      'UPDATE auth_sessions SET revoked_at = now()',
      'UPDATE auth_sessions SET revoked_at = NULL',
    ],
    ['its user was disabled', `UPDATE users SET status = 'disabled'`, `UPDATE users SET status = 'active'`],
    [
      'its membership was disabled',
      `UPDATE memberships SET status = 'disabled'`,
      `UPDATE memberships SET status = 'active'`,
    ],
    ['its store was suspended', `UPDATE stores SET status = 'suspended'`, `UPDATE stores SET status = 'open'`],
  ])('as soon as %s, expired or not', async (_, change, undo) => {
    await database.query(change);
    const answers = await Promise.all([onBoth(token), onBoth(forged({ exp: claims.iat - HOUR }))]);
    await database.query(undo);
    expect(answers).toEqual([
      [INVALID, INVALID],
      [INVALID, INVALID],
    ]);
  });
});

describe('other types of token', () => {
  it('are no access tokens, but checktoken knows them', async () => {
    const service = await app.serviceToken('bot-engine', 'chat-backend');
    expect(await check(service)).toEqual(INVALID);
    expect(await check(service, '/api/checktoken')).toEqual({
      status: 200,
      body: {
        status: 'valid',
        message: 'token valid',
        data: {
          email: '',
          store_id: '',
          role: 'bot',
          expires_at: '2026-11-20T07:10:00.000Z',
          type: 'service',
          sub: 'svc:bot-engine',
          sid: 'svc',
          teams: [],
          iat: claims.iat,
        },
      },
    });
  });

  it('of a service that is no longer configured are invalid', async () => {
    const gone = forged({ sub: 'svc:gone', aud: 'store-auth', sid: 'svc', role: 'service' }, tokenTypes.service);
    expect(await check(gone, '/api/checktoken')).toEqual(INVALID);
  });
});

it('a sibling service learns type and claims of a good token, and no more than "not active" of any other', async () => {
  const headers = bearer(await app.serviceToken('bot-engine'));
  const introspect = async (given: string) =>
    brief(await app.post('/internal/tokens/introspect', { token: given }, headers));
  const reply = (answer: object) => ({
    status: 200,
    body: { status: 'success', message: 'token diperiksa', data: answer },
  });
  expect(await introspect(token)).toEqual(reply({ active: true, type: 'at+jwt', claims }));
  expect(await introspect(forged({ exp: claims.iat - HOUR }))).toEqual(reply({ active: false }));
  expect(await introspect('no.such.token')).toEqual(reply({ active: false }));
});

it('a check without any token answers 422', async () => {
  for (const route of ROUTES) expect(brief(await app.post(route))).toEqual(NONE);
  expect(brief(await app.post('/api/checktoken', {}, { authorization: 'Basic eDp5' }))).toEqual(NONE);
});
