import { silentLogger } from '@platform/runtime';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

const SHOP = 'https://shop.example';
let service: RunningService;
beforeAll(async () => {
  const crossOrigin = { origins: [SHOP], prefix: '/v1/' };
  service = await startService(fixtureService({ crossOrigin }), { port: 0, host: '127.0.0.1', logger: silentLogger });
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

  it('a preflight of a listed origin is told what it may send', async () => {
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

  it('an unlisted origin, or a path that is not for pages, gets no permission', async () => {
    for (const origin of ['https://evil.example', 'null', `${SHOP}.evil.example`])
      expect(await ask('/v1/echo', origin, 'OPTIONS', PREFLIGHT)).toEqual({ status: 404, headers: { vary: 'Origin' } });
    expect(await ask('/text', SHOP, 'GET')).toEqual({ status: 200, headers: {} });
  });
});
