import { Unavailable } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { Text } from '@platform/validation';
import { endpointsOf } from './endpoint';
import { publicGuard } from './request-view';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

const endpoint = endpointsOf<{ public: undefined }>();
class Asked {
  @Text({ optional: true }) q?: string;
}
const shown = endpoint({
  ...{ get: '/shops/{shop}/{place}', summary: 'Answers', guard: 'public', reply: 'json', query: Asked },
  handle: ({ params, query: { q } }) => ({ ...params, q }),
});

let running: RunningService;
beforeAll(async () => {
  const service = fixtureService({
    endpoints: [shown],
    guards: { public: publicGuard },
    leads: ({ method, path, headers }) => {
      const { 'x-shop': shop } = headers;
      if (shop === undefined || path.startsWith('/shops/') || method !== 'GET') return undefined;
      if (shop === 'away') return Promise.reject(new Unavailable('nobody knows'));
      const to = `/shops/${String(shop)}${path}`;
      return shop === 'late' ? Promise.resolve(to) : to;
    },
  });
  running = await startService(service, { port: 0, host: '127.0.0.1', logger: silentLogger });
});
afterAll(() => running.stop());

const answerOf = async (path: string, shop?: string, method = 'GET') => {
  const answer = await fetch(running.url + path, { method, headers: shop === undefined ? {} : { 'x-shop': shop } });
  return { status: answer.status, body: (await answer.json()) as object };
};

it.each(['now', 'late'])(
  'a request is answered under the path to which it is led %s, with its own query',
  async (shop) => {
    expect(await answerOf('/cart?q=a%20b', shop)).toEqual({
      status: 200,
      body: { result: true, shop, place: 'cart', q: 'a b' },
    });
  },
);

it('what leads nowhere is answered under its own path', async () => {
  expect((await answerOf('/shops/a/cart', 'b')).body).toEqual({ result: true, shop: 'a', place: 'cart' });
  expect((await answerOf('/cart')).status).toBe(404);
  expect((await answerOf('/cart', 'now', 'POST')).status).toBe(404);
});

it('a request of which nobody can tell where it leads is refused as the envelope says, and answered', async () => {
  const body = { code: 'internal', message: 'terjadi kesalahan, coba lagi', result: false };
  expect(await answerOf('/cart', 'away')).toEqual({ status: 500, body });
});
