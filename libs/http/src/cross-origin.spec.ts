import { silentLogger } from '@platform/runtime';
import { endpointsOf } from './endpoint';
import { Reply } from './replies';
import { startService, type RunningService } from './server';
import { endpoints, fixtureService } from './service.fixture';

const SHOP = 'https://shop.example';
let service: RunningService;

const endpoint = endpointsOf<{ public: undefined }>();
/** Answers with this `Vary`, and a text of this many characters. */
const varying = (path: string, vary: string | string[], length = 1) =>
  endpoint({
    get: path,
    summary: 'Varies',
    guard: 'public',
    reply: 'json',
    handle: () =>
      new Reply({ text: 'x'.repeat(length) }, { headers: { vary, 'X-Bad': path.includes('bad') ? '\n' : '' } }),
  });

beforeAll(async () => {
  const crossOrigin = { origins: [SHOP], prefix: '/v1/' };
  const all = [
    ...endpoints,
    varying('/v1/language', 'Accept-Language, origin'),
    varying('/v1/large', ['accept-encoding', 'Cookie'], 2_000),
    varying('/v1/any', '*', 2_000),
    varying('/v1/bad', 'Cookie'),
  ];
  service = await startService(fixtureService({ crossOrigin, endpoints: all }), {
    port: 0,
    host: '127.0.0.1',
    logger: silentLogger,
  });
});
afterAll(() => service.stop());

const ask = async (path: string, origin: string, method = 'POST', more: Record<string, string> = {}) => {
  const { status, headers } = await fetch(service.url + path, { method, headers: { origin, ...more } });
  const named = [...headers].filter(([name]) => name.startsWith('access-control') || name === 'vary');
  return { status, headers: Object.fromEntries(named) };
};
const PREFLIGHT = { 'access-control-request-method': 'POST' };

describe('pages of other origins', () => {
  it('a listed origin may call with credentials and read Retry-After', async () => {
    expect(await ask('/v1/echo', SHOP)).toEqual({
      status: 401,
      headers: {
        vary: 'Origin',
        'access-control-allow-origin': SHOP,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Retry-After, X-Request-Id',
      },
    });
  });

  it('a preflight of a listed origin is answered with what it may send', async () => {
    expect(await ask('/v1/echo', SHOP, 'OPTIONS', PREFLIGHT)).toEqual({
      status: 204,
      headers: {
        vary: 'Origin',
        'access-control-allow-origin': SHOP,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, POST, PUT, DELETE',
        'access-control-allow-headers': 'Authorization, Content-Type, X-Request-Id',
        'access-control-max-age': '600',
      },
    });
  });

  it.each([
    ['POST', PREFLIGHT, 401],
    ['OPTIONS', {}, 404],
  ])('%s with %j is no preflight, and reaches its route', async (method, headers, status) =>
    expect(await ask('/v1/echo', SHOP, method, headers)).toEqual({
      status,
      headers: {
        vary: 'Origin',
        'access-control-allow-origin': SHOP,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'Retry-After, X-Request-Id',
      },
    }),
  );

  it.each([
    ['language', 200, 'Origin, Accept-Language'],
    ['large', 200, 'Origin, accept-encoding, Cookie'],
    ['any', 200, '*'],
    ['bad', 500, 'Origin'],
  ])('Vary names everything once, beside the origin: %s', async (path, status, vary) => {
    const answer = await ask(`/v1/${path}`, 'https://other.example', 'GET');
    expect(answer).toEqual({ status, headers: { vary } });
  });

  it('an unlisted origin, or a path outside the CORS paths, gets no permission', async () => {
    for (const origin of ['https://evil.example', 'null', `${SHOP}.evil.example`])
      expect(await ask('/v1/echo', origin, 'OPTIONS', PREFLIGHT)).toEqual({ status: 404, headers: { vary: 'Origin' } });
    expect(await ask('/text', SHOP, 'GET')).toEqual({ status: 200, headers: {} });
  });
});
