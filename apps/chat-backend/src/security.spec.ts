import { signClaims } from '@platform/auth';
import { createHmac } from 'node:crypto';
import { callbackHeaders } from '@platform/contracts';
import { caller } from '@platform/testing';
import { silentLogger } from '@platform/runtime';
import { VariantGuard } from './variant-guard';
import { form, message, RINA, SERVICE, startChat, type Chat } from './chat.fixture';

let chat: Chat;
const REF = { nohp: '628100000001', instance: 'dev1', team: '3' };
const UNAUTHENTICATED = { status: 'error', message: 'Unauthenticated' };
beforeAll(async () => {
  chat = await startChat();
  await chat.inbound({ number: '628100000001@s.whatsapp.net' });
});
afterAll(() => chat.stop());

const DEFAULT_ROUTES = [
  'chat_inbox',
  'chat_inbox_position',
  'chat_list',
  'chat_markread',
  'chat_newinbox',
  'chat_inboxdetail',
  'send_message',
  'get_notif',
  'get_totalnotif',
  'markread_notif',
  'readall_notif',
  'getdetail_notif',
  'change_ticket_status',
];
const now = () => Math.floor(Date.now() / 1000);
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

const GUARDED = {
  APP_ENV: 'production',
  INTERNAL_GUARD: 'token',
  INTERNAL_TOKEN: 'inner',
  INTERNAL_PORT: undefined,
  CALLBACK_SECRET: 'a secret',
} as const;

describe('default routes', () => {
  it.each(DEFAULT_ROUTES)('%s refuses a call without token before it reads the body', async (route) => {
    for (const body of [REF, '{broken'])
      expect(await chat.post(`/v1/${route}`, body, { token: '' })).toMatchObject({
        status: 401,
        body: UNAUTHENTICATED,
      });
  });

  it('refuse forged, foreign and out-of-date tokens, each alike', async () => {
    const { tokens } = chat;
    const good = tokens.tokenFor(RINA);
    const [, claims, signature] = good.split('.') as [string, string, string];
    const publicPem = tokens.key.publicJwk.n;
    const hs256 = `${part({ alg: 'HS256', typ: 'at+jwt', kid: tokens.key.kid })}.${claims}`;
    const bad = {
      'alg none': `${part({ alg: 'none', typ: 'at+jwt', kid: tokens.key.kid })}.${claims}.`,
      'alg none with a signature': `${part({ alg: 'none', typ: 'at+jwt', kid: tokens.key.kid })}.${claims}.${signature}`,
      'HS256 under the public key': `${hs256}.${createHmac('sha256', publicPem).update(hs256).digest('base64url')}`,
      'wrong aud': tokens.tokenFor({ aud: ['commerce-api'] }),
      'wrong iss': tokens.tokenFor({ iss: 'somebody' }),
      expired: tokens.tokenFor({ exp: now() - 31 }),
      'not yet valid': tokens.tokenFor({ nbf: now() + 60 }),
      'preview type': tokens.tokenFor({ typ: 'preview+jwt' }),
      'service type of an owner': tokens.tokenFor({ typ: 'service+jwt', role: 'owner' }),
      'access type of a service': tokens.tokenFor({ role: 'service' }),
      'changed claims': good.replace(
        claims,
        part({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), store_id: 'S2' }),
      ),
      'unknown key': signClaims(
        { ...tokens.key, kid: 'other' },
        'at+jwt',
        JSON.parse(Buffer.from(claims, 'base64url').toString()),
      ),
      nonsense: 'abc',
    };
    for (const [name, token] of Object.entries(bad))
      expect([name, (await chat.post('/v1/chat_inbox', REF, { token })).body]).toEqual([name, UNAUTHENTICATED]);
    expect((await chat.post('/v1/chat_inbox', REF, { token: tokens.tokenFor({ exp: now() - 5 }) })).status).toBe(200); // inside the skew
  });

  it.each([...DEFAULT_ROUTES, 'nowhere'])('%s knows POST only', async (route) => {
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect(await chat.call(`/v1/${route}`, { method, token: chat.tokens.tokenFor() })).toMatchObject({
        status: 404,
        body: { status: 'error', message: 'Not Found' },
      });
  });

  it("show a token of another store nothing of this store's", async () => {
    const stranger = { token: chat.tokens.tokenFor({ store_id: 'S2', role: 'owner', teams: [] }) };
    const [row] = await chat.database.query<{ chat: string; id: string }>(
      `SELECT store_id || '.' || conversation_id AS chat, pesan_id AS id FROM messages LIMIT 1`,
    );
    const bodies = {
      chat_inbox: REF,
      chat_inbox_position: { ...REF, pesan_id: row?.id },
      chat_list: REF,
      chat_markread: REF,
      chat_newinbox: REF,
      chat_inboxdetail: { chatInboxId: `${row?.chat}.1` },
      send_message: { ...REF, pesan: 'x' },
    };
    for (const [route, body] of Object.entries(bodies)) {
      const answer = await chat.post(`/v1/${route}`, body, stranger);
      expect([route, answer.body]).toEqual([
        route,
        {
          result: false,
          message: expect.stringContaining('tidak ditemukan'),
          code: expect.stringMatching(/^(device|message)_not_found$/),
        },
      ]);
    }
    expect(await chat.database.query('SELECT read_seq FROM conversations')).toEqual([{ read_seq: 0 }]);
  });
});

describe('the rate limit', () => {
  it('is one for all default routes of a user, and for nobody else', async () => {
    const other = await startChat({ environment: { RATE_PER_MINUTE: '3' } });
    const list = { nohp: '-', instance: 'dev1', team: '3' };
    for (const route of ['chat_list', 'chat_inbox', 'get_notif']) {
      const { status } = await other.post(`/v1/${route}`, { ...list, ...REF });
      expect([route, status]).toEqual([route, 200]);
    }
    const refused = await other.post('/v1/chat_list', list);
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
      429,
      { status: 'error', message: 'Too Many Requests' },
      '60',
    ]);
    expect(['limit', 'remaining', 'reset', 'policy'].map((name) => refused.headers.get(`ratelimit-${name}`))).toEqual([
      '3',
      '0',
      '60',
      '3;w=60',
    ]);
    expect((await other.call('/docs.json')).body).toMatchObject({
      info: { description: expect.stringContaining('may call the default routes 3 times a minute') },
    });
    const others = [
      () => other.post('/v1/chat_list', list, { token: other.tokens.tokenFor() }),
      () => other.post('/v1/chat_list', list, { token: other.tokens.tokenFor({ ...SERVICE, store_id: 'S1' }) }),
      () => other.inbound(),
    ];
    for (const call of [...others, ...others, ...others, ...others.slice(1)]) expect((await call()).status).toBe(200);
    await other.stop();
  });

  it('of routes that need no token is one for all of an address, but not for the callback and an allowlisted address', async () => {
    const statuses = async (environment: Record<string, string>) => {
      const other = await startChat({ environment: { RATE_PER_MINUTE: '3', ...environment } });
      const seen: number[] = [];
      for (const path of [
        'chat_list_admin',
        'chat_inbox_crm',
        'chat_list_admin',
        'chat_inbox_crm',
        'chat_inbox_admin',
      ]) {
        const { status } = await other.post(`/v1/${path}`, { ...REF, nohp: '-' }, { token: '' });
        seen.push(status);
      }
      for (const variant of ['', '_admin', '_crm', ''])
        seen.push((await other.call(`/v1/callback_message${variant}`, { body: form(message()) })).status);
      await other.stop();
      return seen;
    };
    const callbacks = [200, 200, 200, 200];
    expect(await statuses({})).toEqual([200, 200, 200, 429, 429, ...callbacks]);
    expect(await statuses({ ALLOWED_IPS: '127.0.0.1' })).toEqual([200, 200, 200, 200, 200, ...callbacks]);
  });
});

describe('the allowlist', () => {
  const withAllowlist = async (environment: Record<string, string>, work: (other: Chat) => Promise<void>) => {
    const other = await startChat({ environment });
    await work(other).finally(() => other.stop());
  };
  const list = { nohp: '-', instance: 'dev1', team: '3' };

  it('lets a listed address in on default routes', () =>
    withAllowlist({ ALLOWED_IPS: '127.0.0.0/8' }, async (other) =>
      expect((await other.post('/v1/chat_list', list, { token: '' })).body).toMatchObject({ result: true }),
    ));

  it('is not passed by a forged X-Forwarded-For', () =>
    withAllowlist({ ALLOWED_IPS: '10.0.0.9' }, async (other) => {
      for (const forged of ['10.0.0.9', '10.0.0.9, 127.0.0.1', '127.0.0.1'])
        expect(
          (await other.post('/v1/chat_list', list, { token: '', headers: { 'x-forwarded-for': forged } })).status,
        ).toBe(401);
    }));

  it('believes a trusted proxy, but only the address that the proxy itself saw', () =>
    withAllowlist({ ALLOWED_IPS: '10.0.0.9', TRUST_PROXY: '127.0.0.1' }, async (other) => {
      const status = async (forwarded: string) =>
        (await other.post('/v1/chat_list', list, { token: '', headers: { 'x-forwarded-for': forwarded } })).status;
      expect([await status('10.0.0.9'), await status('10.0.0.9, 8.8.8.8')]).toEqual([200, 401]);
    }));
});

describe('the callback signature', () => {
  it('is demanded over the exact bytes when a secret is set', async () => {
    const other = await startChat({ environment: { CALLBACK_SECRET: 'new-secret,old-secret' } });
    const raw = Buffer.from(JSON.stringify(message()));
    const post = (headers: Record<string, string>, body: Buffer = raw) =>
      caller(other.url)('/v1/callback_message', { body, headers: { 'content-type': 'application/json', ...headers } });
    const signed = (secret: string, timestamp = Date.now()) =>
      callbackHeaders(secret, { timestamp, eventId: 'e1', attempt: 1, rawBody: raw });
    expect((await post(signed('new-secret'))).body).toMatchObject({ result: true });
    expect((await post(signed('old-secret'))).body).toMatchObject({ result: true });
    for (const answer of [
      await post({}),
      await post(signed('wrong')),
      await post(signed('new-secret', Date.now() - 11 * 60_000)),
      await post(signed('new-secret'), Buffer.concat([raw, Buffer.from(' ')])),
    ])
      expect(answer).toMatchObject({ status: 401, body: UNAUTHENTICATED });
    await other.stop();
  });
});

describe('what is printed', () => {
  it('holds no token, secret, text or number of a customer', async () => {
    const token = chat.tokens.tokenFor({ sub: 'canary-user' });
    await chat.call('/v1/callback_message', {
      body: form(
        message({
          number: '628777000111@s.whatsapp.net',
          text: 'canary-text',
          caption: 'canary-caption',
          rawMessage: '{"canary":"canary-raw"}',
        }),
      ),
    });
    await chat.post(
      '/v1/send_message',
      { nohp: '628777000111', instance: 'dev1', team: '3', pesan: 'canary-answer' },
      { token },
    );
    await chat.post('/v1/send_message', { nohp: '628777000111', instance: 'dev1', team: '3' }, { token });
    await chat.post(
      '/v1/chat_list',
      { nohp: '-', instance: 'dev1', team: '3', keyword: 'canary-keyword' },
      { token: `${token}x` },
    );
    const printed = chat.log.join('\n');
    for (const canary of [
      'canary-text',
      'canary-caption',
      'canary-raw',
      'canary-answer',
      'canary-keyword',
      token.slice(-40),
      '628777000111',
      'client-secret',
      'media-secret',
    ])
      expect([canary, printed.includes(canary)]).toEqual([canary, false]);
    expect(printed).toContain('"route":"/v1/send_message"');
  });
});

describe('the variants that the contract leaves open', () => {
  const list = { nohp: '-', instance: 'dev1', team: '3' };
  const counted = async (url: string) =>
    /^unauthenticated_variant_requests_total\S* (\d+)$/m.exec((await caller(url)('/metrics')).body as string)?.[1];
  const warnings = (log: readonly string[]) => log.filter((line) => line.includes('_admin and _crm routes ask for no'));

  it('are warned of once and counted while nothing guards them', async () => {
    const other = await startChat();
    expect(await counted(other.url)).toBe('0');
    await other.post('/v1/chat_list_admin', list, { token: '' });
    await other.post('/v1/chat_list_crm', list, { token: '' });
    await other.post('/v1/chat_list', list);
    expect(await counted(other.url)).toBe('2');
    expect(warnings(other.log)).toHaveLength(1);
    await other.stop();
  });

  it('ask for the internal token when INTERNAL_GUARD says so, the callback’s too, and nothing else does', async () => {
    const other = await startChat({ environment: { INTERNAL_GUARD: 'token', INTERNAL_TOKEN: 'inner' } });
    const ask = (path: string, token?: string) =>
      other.post(path, list, { token: '', headers: token === undefined ? {} : { 'x-internal-token': token } });
    for (const path of ['/v1/chat_list_admin', '/v1/chat_list_crm', '/v1/callback_message_admin'])
      for (const token of [undefined, '', 'inne', 'Inner', 'inner2'])
        expect(await ask(path, token)).toMatchObject({ status: 401, body: UNAUTHENTICATED });
    expect((await ask('/v1/chat_list_admin', 'inner')).body).toMatchObject({ result: true });
    expect((await ask('/v1/chat_list_crm', 'inner')).body).toMatchObject({ result: true });
    expect((await ask('/v1/chat_list', 'inner')).status).toBe(401);
    expect((await other.inbound()).body).toMatchObject({ result: true });
    expect([await counted(other.url), warnings(other.log)]).toEqual(['0', []]);
    await other.stop();
  });

  it('cannot be guarded by an empty token: the start fails and names the setting', () => {
    const settings = { ...GUARDED, INTERNAL_TOKEN: '' };
    expect(() => new VariantGuard(settings, silentLogger)).toThrow('INTERNAL_TOKEN is missing');
  });

  it.each([
    ['production', '', ['callbacks of the gateway are taken without a signature']],
    ['production', 'a secret', []],
    ['development', '', []],
  ] as const)('in %s with the callback secret "%s" the start warns of %j', async (APP_ENV, CALLBACK_SECRET, told) => {
    const said: string[] = [];
    const logger = { ...silentLogger, warn: (text: string) => void said.push(text.split(':')[0] ?? '') };
    await new VariantGuard({ ...GUARDED, APP_ENV, CALLBACK_SECRET }, logger).start();
    expect(said).toEqual(told);
  });
});

describe('INTERNAL_PORT', () => {
  it('takes variants, callbacks and internal routes off the public port and serves all routes itself', async () => {
    const other = await startChat({ internalPort: true });
    const token = other.tokens.tokenFor();
    const service = other.tokens.tokenFor(SERVICE);
    const body = { nohp: '-', instance: 'dev1', team: '3' };
    const hidden: [string, object, string][] = [
      ['/v1/chat_list_admin', body, ''],
      ['/v1/chat_list_crm', body, ''],
      ['/v1/callback_message', message(), ''],
      ['/v1/callback_message_crm', message(), ''],
      ['/internal/sync', {}, service],
    ];
    for (const [path, request, as] of hidden) {
      const on = async (url: string) => caller(url)(path, { body: request, token: as });
      expect(await on(other.url)).toMatchObject({ status: 404, body: { status: 'error', message: 'Not Found' } });
      expect(await on(other.internalUrl)).toMatchObject({ status: 200, body: { result: true } });
    }
    for (const url of [other.url, other.internalUrl])
      expect((await caller(url)('/v1/chat_list', { body, token })).body).toMatchObject({ result: true });
    await other.stop();
  });
});

describe('ports', () => {
  it('GET / identifies the app and nothing else', async () =>
    expect(await chat.call('/')).toMatchObject({ status: 200, body: { app: 'chat-backend' } }));
});
