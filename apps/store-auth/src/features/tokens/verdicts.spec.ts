import { createHmac, createPublicKey } from 'node:crypto';
import { generateSigningKey, signClaims } from '@platform/auth';
import { tokenTypes, type Claims, type TokenType } from '@platform/contracts';
import { decodeJwt } from 'jose';
import { AGENT, bearer, PASSWORD, useApp } from '../../app.fixture';

/** Design section 8, points 5 and 6: every way to check a token against every kind of token. */
type Ask = (token: string) => Promise<{ status: number; body: unknown }>;
type Word = 'valid' | 'ekspired' | 'invalid' | 'required' | 'passes';

const { app, database } = useApp();
let tokens: Record<string, string>;

const HOUR = 3600;
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const signedWith = async () => {
  const foreign = await generateSigningKey();
  const key = app.parts.ring.current();
  const { token } = await app.login();
  const claims = decodeJwt<Claims>(token);
  const expired = { exp: claims.iat - HOUR };
  const sign = (changes: Partial<Claims>, type: TokenType = tokenTypes.access, by = key) =>
    signClaims(by, type, { ...claims, ...changes });
  const head = `${base64url({ alg: 'HS256', kid: key.kid, typ: 'at+jwt' })}.${base64url(claims)}`;
  const pem = createPublicKey(key.privateKey).export({ format: 'pem', type: 'spki' });
  return {
    valid: token,
    expired: sign(expired),
    forged: sign({}, tokenTypes.access, { ...foreign, kid: key.kid }),
    'alg none': `${base64url({ alg: 'none', kid: key.kid, typ: 'at+jwt' })}.${base64url(claims)}.`,
    'HS256 with the public key': `${head}.${createHmac('sha256', pem).update(head).digest('base64url')}`,
    'wrong aud': sign({ aud: ['chat-backend'] }),
    'wrong iss': sign({ iss: 'ads-api' }),
    'expired and forged': sign(expired, tokenTypes.access, { ...foreign, kid: key.kid }),
    'expired and of wrong aud': sign({ ...expired, aud: ['chat-backend'] }),
  };
};

const preview = async (token: string): Promise<string> => {
  const answer = await app.post(
    '/api/create-token',
    { purpose: 'preview', referer: 'https://a.example' },
    bearer(token),
  );
  return (answer.body as { data: { token: string } }).data.token;
};

beforeAll(async () => {
  const signed = await signedWith();
  const revoked = (await app.login()).token;
  await app.post('/api/logout', {}, bearer(revoked));
  const lapsed = signClaims(app.parts.ring.current(), tokenTypes.access, {
    ...decodeJwt<Claims>(revoked),
    exp: Math.floor(Date.now() / 1000) - HOUR,
  });
  const disabled = (await app.login({ email: AGENT.email, password: PASSWORD })).token;
  await database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [AGENT.user_id]);
  const service = await app.serviceToken('commerce-api');
  const more = { revoked, 'expired and revoked': lapsed, 'disabled user': disabled, service, none: '' };
  tokens = { ...signed, preview: await preview(signed.valid), ...more };
});

const inBody =
  (path: string, more = {}): Ask =>
  (token) =>
    app.post(path, { ...more, ...(token ? { token } : {}) });
const asBearer =
  (path: string, body = {}): Ask =>
  (token) =>
    app.post(path, body, token ? bearer(token) : {});

const word = ({ status, body }: { status: number; body: unknown }): Word => {
  const said = JSON.stringify(body);
  if (status === 200 && said.startsWith('{"status":"valid","message":"token valid"')) return 'valid';
  if (status === 401 && said === '{"status":"ekspired","message":"token ekspired"}') return 'ekspired';
  if (status === 401 && said === '{"status":"invalid","message":"token tidak valid"}') return 'invalid';
  return status === 422 && said.includes('"field":"token","tag":"required"') ? 'required' : 'passes';
};

const verdicts = async (ask: Ask): Promise<Record<string, Word>> => {
  const found: Record<string, Word> = {};
  for (const [name, token] of Object.entries(tokens)) found[name] = word(await ask(token));
  return found;
};

const refused: Record<string, Word> = {
  forged: 'invalid',
  'alg none': 'invalid',
  'HS256 with the public key': 'invalid',
  'wrong aud': 'invalid',
  'wrong iss': 'invalid',
  revoked: 'invalid',
  'disabled user': 'invalid',
  'expired and forged': 'invalid',
  'expired and of wrong aud': 'invalid',
  'expired and revoked': 'invalid',
};
const access: Record<string, Word> = { ...refused, expired: 'ekspired', preview: 'invalid', service: 'invalid' };

describe('every kind of token gets its documented verdict', () => {
  it('at /api/check-validate-token', async () => {
    const expected = { ...access, valid: 'valid', none: 'required' };
    expect(await verdicts(inBody('/api/check-validate-token'))).toEqual(expected);
    expect(await verdicts(asBearer('/api/check-validate-token'))).toEqual(expected);
  });

  it('at /api/checktoken, which knows all types', async () =>
    expect(await verdicts(inBody('/api/checktoken'))).toEqual({
      ...{ ...access, valid: 'valid', none: 'required', preview: 'valid', service: 'valid' },
    }));

  it('at /api/validate_token, by purpose', async () => {
    expect(await verdicts(inBody('/api/validate_token'))).toEqual({ ...access, valid: 'valid', none: 'required' });
    const asPreview = inBody('/api/validate_token', { purpose: 'preview', referer: 'https://a.example' });
    const expected = { ...access, expired: 'invalid', valid: 'invalid', preview: 'valid', none: 'required' };
    expect(await verdicts(asPreview)).toEqual(expected);
  });

  it('at the guarded routes', async () => {
    expect(await verdicts(asBearer('/api/create-token'))).toEqual({ ...access, valid: 'passes', none: 'invalid' });
    expect(await verdicts(asBearer('/api/product/check_stock_products'))).toEqual({
      ...{ ...access, valid: 'passes', none: 'invalid', preview: 'passes', service: 'passes' },
    });
  });

  it('from the body when the header has another one, on all three check routes', async () => {
    const routes = ['/api/check-validate-token', '/api/checktoken', '/api/validate_token'];
    const ask = (path: string, inside = '', header = '') => app.post(path, { token: inside }, bearer(header));
    for (const route of routes) {
      expect(word(await ask(route, tokens.valid, tokens.forged))).toBe('valid');
      expect(word(await ask(route, tokens.forged, tokens.valid))).toBe('invalid');
    }
  });
});
