import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { fixedClock } from '@platform/runtime';
import { serviceTokens, type ServiceTokens } from './service-tokens';

interface Asked {
  readonly path: string | undefined;
  readonly type: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

let server: Server;
let asked: Asked[];
let answer: { status: number; body: unknown } | 'hang';
const open: ServiceTokens[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        asked.push({
          path: request.url,
          type: request.headers['content-type'],
          authorization: request.headers.authorization,
          body: JSON.parse(Buffer.concat(chunks).toString()),
        });
        if (answer === 'hang') return;
        response.writeHead(answer.status).end(JSON.stringify(answer.body));
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  asked = [];
  answer = {
    status: 200,
    body: {
      status: 'success',
      message: 'token dibuat',
      data: { access_token: 'token-1', token_type: 'Bearer', expires_in: 600 },
    },
  };
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await Promise.all(open.map((tokens) => tokens.stop?.()));
});

const start = (more: { timeoutMs?: number; url?: string; isRevoked?: (kid: string) => boolean } = {}) => {
  const clock = fixedClock('2026-11-20T07:00:00Z');
  const url = more.url ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const tokens = serviceTokens({
    storeAuthUrl: url,
    clientId: 'bot-engine',
    clientSecret: 's3cret',
    clock,
    timeoutMs: more.timeoutMs,
    isRevoked: more.isRevoked,
  });
  open.push(tokens);
  return { tokens, clock };
};

describe('a service token', () => {
  it('a service token is requested with the client credentials, for one audience and store', async () => {
    expect(await start().tokens.for('chat-backend', 'S1')).toBe('token-1');
    const authorization = `Basic ${Buffer.from('bot-engine:s3cret').toString('base64')}`;
    expect(asked).toEqual([
      {
        path: '/internal/service-tokens',
        type: 'application/json',
        authorization,
        body: { audience: 'chat-backend', store_id: 'S1' },
      },
    ]);
  });

  it('a service token is shared by concurrent callers and cached until 60 s before its expiry', async () => {
    const { tokens, clock } = start();
    await Promise.all(Array.from({ length: 10 }, () => tokens.for('commerce-api')));
    clock.advance(539_999);
    await tokens.for('commerce-api');
    expect(asked).toHaveLength(1);
    clock.advance(1);
    await tokens.for('commerce-api');
    expect(asked).toHaveLength(2);
  });

  it('a service token that a revoked key has signed is not used any more', async () => {
    const signedBy = (kid: string) => {
      const access_token = `${Buffer.from(JSON.stringify({ kid })).toString('base64url')}.a.b`;
      answer = { status: 200, body: { data: { access_token, expires_in: 600 } } };
      return access_token;
    };
    const revoked = new Set<string>();
    const { tokens } = start({ isRevoked: (kid) => revoked.has(kid) });
    const old = signedBy('old');
    expect([await tokens.for('chat-backend'), await tokens.for('chat-backend')]).toEqual([old, old]);
    revoked.add('old');
    // From a replica of store-auth that has not heard of it yet
    await tokens.for('chat-backend');
    const next = signedBy('next');
    expect([await tokens.for('chat-backend'), await tokens.for('chat-backend')]).toEqual([next, next]);
    expect(asked).toHaveLength(3);
  });

  it('a service token is not shared between audiences or stores', async () => {
    const { tokens } = start();
    await Promise.all([
      tokens.for('chat-backend', 'S1'),
      tokens.for('chat-backend', 'S2'),
      tokens.for('chat-backend'),
      tokens.for('commerce-api'),
    ]);
    expect(asked).toHaveLength(4);
  });

  it('a service token is requested again after a failure', async () => {
    const { tokens } = start();
    const good = answer;
    answer = { status: 503, body: {} };
    await expect(tokens.for('chat-backend')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 });
    answer = good;
    expect(await tokens.for('chat-backend')).toBe('token-1');
  });

  it.each([
    [
      401,
      'store-auth does not know these credentials: check SERVICE_CLIENT_ID and SERVICE_CLIENT_SECRET (a token of bot-engine for chat-backend)',
    ],
    [
      403,
      'store-auth does not allow this client that audience: check SERVICE_CLIENTS of store-auth (a token of bot-engine for chat-backend)',
    ],
    [418, 'store-auth answered 418 (a token of bot-engine for chat-backend)'],
    [200, 'store-auth sent no token (a token of bot-engine for chat-backend)'],
  ])('a service token refused with %i names the setting to check', async (status, message) => {
    answer = { status, body: {} };
    await expect(start().tokens.for('chat-backend')).rejects.toMatchObject({ kind: 'unexpected', message });
  });

  it.each([500, 503, 429])('a service token is unavailable while store-auth answers %i', async (status) => {
    answer = { status, body: {} };
    await expect(start().tokens.for('chat-backend')).rejects.toMatchObject({
      kind: 'unavailable',
      message: `store-auth answered ${status} to the request for a token of bot-engine for chat-backend`,
    });
  });

  it('a service token without a lifetime is refused', async () => {
    answer = { status: 200, body: { data: { access_token: 'token-1' } } };
    await expect(start().tokens.for('x')).rejects.toMatchObject({ kind: 'unexpected' });
  });

  it('a service token stays cached while others are requested', async () => {
    const { tokens } = start();
    for (const audience of ['chat-backend', 'commerce-api', 'chat-backend']) await tokens.for(audience);
    expect(asked).toHaveLength(2);
  });

  it('a service token is requested under the path of the address of store-auth', async () => {
    await start({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth/` }).tokens.for('x');
    expect(asked[0]?.path).toBe('/auth/internal/service-tokens');
  });

  it('no service token is requested after the stop', async () => {
    const { tokens } = start();
    open.splice(open.indexOf(tokens), 1);
    await tokens.stop?.();
    await expect(tokens.for('x')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 2 });
    expect(asked).toEqual([]);
  });

  it('a service token is unavailable when store-auth hangs or cannot be reached', async () => {
    answer = 'hang';
    await expect(start({ timeoutMs: 30 }).tokens.for('chat-backend')).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'store-auth cannot be reached',
    });
    await expect(start({ url: 'http://127.0.0.1:1' }).tokens.for('chat-backend')).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'store-auth cannot be reached',
    });
  });
});
