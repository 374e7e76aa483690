import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { AUTH_EVENTS_CHANNEL, tokenTypes, type Claims } from '@platform/contracts';
import { fixedClock, loadConfig, silentLogger } from '@platform/runtime';
import { claimsAt } from './claims.fixture';
import {
  generateSigningKey,
  localKeys,
  openTokenAccess,
  publicJwks,
  signClaims,
  tokenAccessSettings,
  type SigningKey,
  type TokenAccess,
  type TokenAccessParts,
} from './index';

const now = Date.parse('2026-11-20T07:00:00Z') / 1000;
const claims = claimsAt(now);

/** store-auth as the services see it: keys, events, service tokens. */
let storeAuth: Server;
let url: string;
let key: SigningKey;
let asked: string[];
const answers: Record<string, (request: IncomingMessage) => unknown> = {
  '/.well-known/jwks.json': () => publicJwks([key]),
  '/elsewhere/keys': () => publicJwks([key]),
  '/internal/events': () => ({ data: { items: [], cursor: 'c' } }),
  '/internal/service-tokens': ({ headers }) => ({
    data: { access_token: String(headers.authorization), expires_in: 600 },
  }),
};

beforeAll(async () => {
  key = await generateSigningKey();
  storeAuth = createServer((request, response) => {
    const path = String(request.url).split('?')[0] as string;
    asked.push(path);
    response.end(JSON.stringify(answers[path]?.(request) ?? null));
  }).listen(0, '127.0.0.1');
  await once(storeAuth, 'listening');
  url = `http://127.0.0.1:${(storeAuth.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked = [];
});
afterAll(() => {
  storeAuth.closeAllConnections();
  storeAuth.close();
});

const open: TokenAccess[] = [];
afterEach(async () => {
  for (const { components } of open.splice(0))
    for (const component of [...components].reverse()) await component.stop?.();
});
const access = (settings: Record<string, string> = {}, parts: Partial<TokenAccessParts> = {}): TokenAccess => {
  const config = loadConfig(tokenAccessSettings('chat-backend'), {
    STORE_AUTH_URL: url,
    SERVICE_CLIENT_SECRET: 'a-secret-of-the-service',
    ...settings,
  });
  const clock = fixedClock(new Date(now * 1000));
  const made = openTokenAccess(config, { logger: silentLogger, clock, ...parts });
  open.push(made);
  return made;
};
const start = async ({ components }: TokenAccess) => {
  for (const component of components) await component.start?.();
};
const token = (changes: Partial<Claims> = {}) => signClaims(key, tokenTypes.access, { ...claims, ...changes });

describe("a service's access to store-auth", () => {
  it("a token is valid when store-auth's keys signed it for the service's own name", async () => {
    const { verifier } = access();
    expect(await verifier.verify(token())).toEqual(claims);
    await expect(verifier.verify(token({ aud: 'bot-engine' }))).rejects.toMatchObject({ reason: 'invalid' });
    await expect(verifier.verify(token({ iss: 'ads-api' }))).rejects.toMatchObject({ reason: 'invalid' });
    expect(asked).toEqual(['/.well-known/jwks.json']);
  });

  it('issuer, audience and the address of the keys follow the settings', async () => {
    const { verifier } = access({
      JWT_JWKS_URL: `${url}/elsewhere/keys`,
      JWT_ISSUER: 'another',
      JWT_AUDIENCE: 'desk',
    });
    expect(await verifier.verify(token({ iss: 'another', aud: 'desk' }))).toMatchObject({ aud: 'desk' });
    expect(asked).toEqual(['/elsewhere/keys']);
  });

  it("given keys replace store-auth's", async () => {
    const { verifier } = access({}, { keys: localKeys(() => [key]) });
    expect(await verifier.verify(token())).toEqual(claims);
    expect(asked).toEqual([]);
  });

  it('service tokens are requested with the service credentials, by default under its own name', async () => {
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
    expect(await access().tokens.for('bot-engine')).toBe(basic('chat-backend:a-secret-of-the-service'));
    expect(await access({ SERVICE_CLIENT_ID: 'other' }).tokens.for('x')).toBe(basic('other:a-secret-of-the-service'));
  });

  it('a login that the channel reports as revoked is refused at once', async () => {
    const channels: string[] = [];
    let say: (message: string) => void = () => undefined;
    const service = access(
      {},
      {
        subscribe: (channel, handler) => {
          channels.push(channel);
          say = handler;
          return Promise.resolve(() => undefined);
        },
      },
    );
    await start(service);
    expect([channels, asked]).toEqual([[AUTH_EVENTS_CHANNEL], ['/internal/service-tokens', '/internal/events']]);
    await service.verifier.verify(token());
    say(JSON.stringify({ type: 'revoke', jti: 'jti-1', exp: now + 3600 }));
    await expect(service.verifier.verify(token())).rejects.toMatchObject({ reason: 'invalid' });
  });

  it('keys are read again when one is taken out of use, until every process of store-auth knows the next', async () => {
    let say: (message: string) => void = () => undefined;
    const subscribe: TokenAccessParts['subscribe'] = (_, handler) => {
      say = handler;
      return Promise.resolve(() => undefined);
    };
    const service = access({}, { subscribe });
    await start(service);
    const first = key;
    await service.verifier.verify(token());
    const event = { type: 'revoke', kid: first.kid, exp: now + 3600 };
    const { '/internal/events': usual } = answers;
    answers['/internal/events'] = () => ({ data: { items: [event], cursor: 'd' } });
    try {
      say(JSON.stringify(event));
      const haveRead = async (times: number) => {
        while (asked.filter((path) => path.endsWith('jwks.json')).length < times) await pause(20);
      };
      await haveRead(2);
      // The process that answered knew no other key yet
      key = await generateSigningKey();
      await haveRead(3);
      expect(await service.verifier.verify(token())).toEqual(claims);
      await expect(service.verifier.verify(signClaims(first, tokenTypes.access, claims))).rejects.toMatchObject({
        reason: 'invalid',
      });
    } finally {
      if (usual) answers['/internal/events'] = usual;
    }
  });

  it('the service is ready only with keys, unless they are optional', async () => {
    const away = { STORE_AUTH_URL: 'http://127.0.0.1:1' };
    const readiness = (service: TokenAccess) => service.components.find(({ name }) => name === 'token keys');
    await expect(readiness(access(away))?.check?.()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(readiness(access())?.check?.()).resolves.toBeUndefined();
    expect([readiness(access())?.optional, readiness(access({}, { keysOptional: true }))?.optional]).toEqual([
      false,
      true,
    ]);
  });

  it('the address of a client is the one that a trusted proxy names, and a malformed TRUST_PROXY is refused', () => {
    const { clientAddress } = access({ TRUST_PROXY: '10.0.0.1' });
    expect([clientAddress('10.0.0.1', '1.2.3.4'), clientAddress('10.0.0.2', '1.2.3.4')]).toEqual([
      '1.2.3.4',
      '10.0.0.2',
    ]);
    expect(() => access({ TRUST_PROXY: 'proxy' })).toThrow('TRUST_PROXY: "proxy" is neither an address nor a network');
  });
});
