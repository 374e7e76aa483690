import { loadConfig } from '@platform/runtime';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { basic, bearer, brief, useApp } from '../../app.fixture';
import { serviceClientList } from '../issuing/service-client.setting';

const INVALID = { status: 401, body: { status: 'invalid', message: 'token tidak valid' } };
const { app } = useApp();

const ask = async (body: object, headers: Record<string, string>) =>
  brief(await app.post('/internal/service-tokens', body, headers));

describe('a service token', () => {
  it('is valid for one audience, one store and ten minutes', async () => {
    const answer = await ask({ audience: 'chat-backend', store_id: 'S1' }, basic('bot-engine'));
    expect(answer).toEqual({
      status: 200,
      body: {
        status: 'success',
        message: 'token dibuat',
        data: { access_token: expect.any(String), token_type: 'Bearer', expires_in: 600 },
      },
    });
    const { access_token: token } = (answer.body as { data: { access_token: string } }).data;
    const claims = decodeJwt(token);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'RS256', typ: 'service+jwt', kid: expect.any(String) });
    expect(claims).toEqual({
      iss: 'store-auth',
      aud: 'chat-backend',
      sub: 'svc:bot-engine',
      store_id: 'S1',
      role: 'bot',
      teams: [],
      email: '',
      sid: 'svc',
      jti: expect.any(String),
      iat: expect.any(Number),
      nbf: claims.iat,
      exp: Number(claims.iat) + 600,
    });
  });

  it('is valid for any store when none is named', async () =>
    expect(decodeJwt(await app.serviceToken('bot-engine', 'commerce-api')).store_id).toBe(''));

  it('is refused to unknown clients, wrong secrets and bearer tokens', async () => {
    const { token } = await app.login();
    const headers = [{}, basic('nobody'), basic('bot-engine', 'wrong'), basic('bot-engine', ''), bearer(token)];
    const answers = await Promise.all(headers.map((each) => ask({ audience: 'chat-backend' }, each)));
    expect(answers).toEqual(headers.map(() => INVALID));
  });

  it('is refused for an audience that the client may not use', async () =>
    expect(await ask({ audience: 'chat-backend' }, basic('ads-client'))).toEqual({
      status: 403,
      body: { status: 'error', message: 'audience tidak diizinkan', code: 'audience_not_allowed' },
    }));
});

describe('the internal routes', () => {
  const events = async (headers: Record<string, string>) => brief(await app.get('/internal/events', headers));

  it('accept a service token only with the audience store-auth', async () => {
    const { token } = await app.login();
    const foreign = await app.serviceToken('bot-engine', 'chat-backend');
    const own = await app.serviceToken('bot-engine');
    expect(await Promise.all([{}, bearer(token), bearer(foreign), basic('bot-engine')].map(events))).toEqual(
      Array(4).fill(INVALID),
    );
    expect((await events(bearer(own))).status).toBe(200);
  });

  it('require the scope of the client', async () => {
    const bot = bearer(await app.serviceToken('bot-engine'));
    expect(brief(await app.post('/internal/tokens', { grant: 'challenge', challenge: 'x' }, bot))).toEqual({
      status: 403,
      body: { status: 'error', message: 'layanan ini tidak memiliki izin identity', code: 'scope_missing' },
    });
  });
});

describe('SERVICE_CLIENTS', () => {
  const hash = 'ab'.repeat(32);
  const client = { id: 'bot-engine', secrets_sha256: [hash], role: 'bot', audiences: ['chat-backend'] };
  const read = (value: unknown) =>
    loadConfig({ CLIENTS: serviceClientList }, { CLIENTS: typeof value === 'string' ? value : JSON.stringify(value) })
      .CLIENTS;

  it('is a list of clients; "all" is every scope', () =>
    expect(read([{ ...client, scopes: ['all'] }])).toEqual([
      {
        id: 'bot-engine',
        secretHashes: [hash],
        role: 'bot',
        audiences: ['chat-backend'],
        scopes: ['identity', 'introspect', 'events'],
      },
    ]));

  it.each([
    ['no JSON', '[{'],
    ['a secret that is no digest', [{ ...client, secrets_sha256: ['plain secret'] }]],
    ['three secrets', [{ ...client, secrets_sha256: [hash, hash, hash] }]],
    ['an unknown role', [{ ...client, role: 'owner' }]],
    ['an unknown scope', [{ ...client, scopes: ['everything'] }]],
    ['one id twice', [client, client]],
  ])('refuses %s without echoing it', (_, value) => {
    expect(() => read(value)).toThrow('CLIENTS must be a JSON list of');
    expect(() => read(value)).not.toThrow(/plain secret|abab/);
  });
});
