import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Unavailable } from '@platform/errors';
import { fixedClock, silentLogger, type Logger } from '@platform/runtime';
import { localKeys, remoteKeys } from './key-source';
import { generateSigningKey, publicJwks, type SigningKey } from './signing-key';

let one: SigningKey;
let two: SigningKey;
let server: Server;
let url: string;
let listed: SigningKey[];
let status: number;
let fetches: number;
let accepted: unknown[];

beforeAll(async () => {
  [one, two] = await Promise.all([generateSigningKey(), generateSigningKey()]);
  server = createServer((request, response) => {
    fetches += 1;
    accepted.push(request.headers.accept);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(publicJwks(listed)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/.well-known/jwks.json`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [listed, status, fetches, accepted] = [[one], 200, 0, []];
});

const source = () => {
  const clock = fixedClock('2026-11-20T07:00:00Z');
  const told: unknown[] = [];
  const hear = (text: string, fields?: object) => void told.push([text, ...(fields ? [fields] : [])]);
  const logger = { ...silentLogger, warn: hear, info: hear } as Logger;
  return { clock, told, keys: remoteKeys({ url, logger, clock }) };
};
const until = async (condition: () => Promise<boolean>) => {
  while (!(await condition())) await new Promise(setImmediate);
};

describe('keys of a JWKS address', () => {
  it('a JWKS is fetched once for many callers, and each key object made once', async () => {
    const { keys } = source();
    const found = await Promise.all(Array.from({ length: 20 }, () => keys.find(one.kid)));
    expect(new Set(found).size).toBe(1);
    expect(found[0]?.asymmetricKeyType).toBe('rsa');
    expect([fetches, accepted]).toEqual([1, ['application/json']]);
  });

  it('keys of a JWKS are unavailable, not invalid, until the first fetch', async () => {
    const { keys, clock, told } = source();
    status = 500;
    await expect(keys.find(one.kid)).rejects.toMatchObject({
      message: 'the public keys of store-auth are not loaded yet',
      code: 'keys_not_loaded',
      retryAfterSeconds: 2,
    });
    await expect(keys.check()).rejects.toBeInstanceOf(Unavailable);
    expect(fetches).toBe(1);
    status = 200;
    clock.advance(1_000);
    expect(await keys.find(one.kid)).toBeDefined();
    await expect(keys.check()).resolves.toBeUndefined();
    const cause = 'Error: the key server answered 500';
    expect(told).toEqual([
      ['public keys could not be loaded', { url, cause, keptKeys: 0, failures: 1 }],
      ['public keys are loaded again'],
    ]);
  });

  it('a JWKS is not fetched again within ten minutes', async () => {
    const { keys, clock } = source();
    await keys.find(one.kid);
    clock.advance(10 * 60_000 - 1);
    await keys.find(one.kid);
    await fetch(url); // by the time of its answer any other would have come
    expect(fetches).toBe(2);
    listed = [two];
    clock.advance(1);
    await keys.find(one.kid);
    await until(async () => (await keys.find(two.kid)) !== undefined);
    expect(fetches).toBe(3);
  });

  it('a JWKS is fetched at most once per 30 seconds for unknown ids', async () => {
    const { keys, clock } = source();
    await keys.find(one.kid);
    expect(await keys.find('unknown')).toBeUndefined();
    expect(fetches).toBe(1);
    clock.advance(30_000);
    listed = [one, two];
    const found = await Promise.all([keys.find(two.kid), keys.find('unknown'), keys.find(two.kid)]);
    expect(found.map((key) => key !== undefined)).toEqual([true, false, true]);
    expect(fetches).toBe(2);
  });

  it('whether an unknown key exists is unavailable, not invalid, when the last fetch has failed', async () => {
    const { keys, clock } = source();
    await keys.find(one.kid);
    [listed, status] = [[one, two], 503];
    await keys.renew?.();
    await expect(keys.find(two.kid)).rejects.toMatchObject({ code: 'keys_not_loaded' });
    expect(await keys.find(one.kid)).toBeDefined();
    status = 200;
    clock.advance(30_000);
    expect([await keys.find(two.kid), await keys.find('unknown')]).toEqual([expect.anything(), undefined]);
  });

  it('a key that is new is found also when the clock was set back an hour since the last fetch', async () => {
    const { keys, clock } = source();
    await keys.find(one.kid);
    clock.advance(-3_600_000);
    listed = [one, two];
    expect(await keys.find(two.kid)).toBeDefined();
  });

  it('a JWKS is refreshed after ten minutes without blocking a caller, and a retired key is dropped', async () => {
    const { keys, clock } = source();
    await keys.find(one.kid);
    listed = [two];
    clock.advance(10 * 60_000);
    expect(await keys.find(one.kid)).toBeDefined();
    await until(async () => (await keys.find(one.kid)) === undefined);
    expect(await keys.find(two.kid)).toBeDefined();
    expect(fetches).toBe(2);
  });

  it('keys of a JWKS are kept while the key server fails or lists nothing usable', async () => {
    const { keys, clock, told } = source();
    await keys.find(one.kid);
    for (const broken of [() => (status = 503), () => ((status = 200), (listed = []))]) {
      broken();
      clock.advance(11 * 60_000);
      const before = told.length;
      await until(async () => (await keys.find(one.kid)) !== undefined && told.length > before);
      expect(await keys.find(one.kid)).toBeDefined();
    }
    const text = 'public keys could not be loaded';
    const because = (cause: string) => ({ url, cause: `Error: ${cause}`, keptKeys: 1, failures: 1 });
    expect(told).toEqual([
      [text, because('the key server answered 503')],
      [text, because('the key server listed no usable RSA key')],
    ]);
  });
});

it("the process's own keys follow a rotation at once", async () => {
  const ring = [one];
  const keys = localKeys(() => ring);
  expect(await keys.find(two.kid)).toBeUndefined();
  ring.push(two);
  expect(await keys.find(two.kid)).toBeDefined();
  ring.shift();
  expect(await keys.find(one.kid)).toBeUndefined();
  ring.splice(0, 1, one);
  expect(await keys.find(one.kid)).toBeDefined();
  ring.push(two);
  expect(await keys.find(two.kid)).toBeDefined();
  ring.pop();
  expect([await keys.find(one.kid), await keys.find(two.kid)]).toEqual([expect.anything(), undefined]);
  expect(await keys.find(one.kid)).toBe(await keys.find(one.kid));
  await expect(keys.check()).resolves.toBeUndefined();
});
