import { silentLogger } from '@platform/runtime';
import { caller, until } from '@platform/testing';
import { endpointsOf } from './endpoint';
import { startService } from './server';
import { EchoReply, fixtureService, type Caller } from './service.fixture';
import type { TenantShare } from './tenant-share';

const endpoint = endpointsOf<{ public: undefined; token: Caller }>();

/** A service whose handlers wait until they are let go; `working` are the tenants whose requests they work on. */
const started = async (share: Partial<TenantShare>) => {
  const working: string[] = [];
  let letGo = (): void => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const handle = async (store: string) => {
    working.push(store);
    await gate;
    return { text: 'done', store };
  };
  const endpoints = [
    endpoint({
      ...{ get: '/v1/work', summary: 'Works', guard: 'token', reply: EchoReply, refuses: [] },
      handle: (input) => handle(input.caller.store),
    }),
    endpoint({
      ...{ get: '/v1/open', summary: 'Works for everybody', guard: 'public', reply: EchoReply, refuses: [] },
      handle: () => handle('nobody'),
    }),
    endpoint({
      ...{ get: '/v1/shops/{shop}', summary: 'Works for buyers', guard: 'public', reply: EchoReply, refuses: [] },
      tenantOf: ({ params }) => String(params.shop),
      handle: ({ params }) => handle(params.shop),
    }),
  ];
  const tenantOf = (who: unknown) => (who as Caller | undefined)?.store;
  const service = fixtureService({ endpoints, variants: {}, share: { places: 8, most: 2, tenantOf, ...share } });
  const { url, stop } = await startService(service, { port: 0, host: '127.0.0.1', logger: silentLogger });
  const ask = async (store: string, path = '/v1/work') => {
    const { status, headers } = await caller(url)(path, { token: store });
    return { status, retryAfter: headers.get('retry-after') };
  };
  return {
    ask,
    letGo,
    stop,
    works: (count: number) =>
      until(
        () => [...working].sort(),
        ({ length }) => length === count,
      ),
  };
};

it('a tenant that asks for much at once leaves the others their turn, and gets all of its answers', async () => {
  const { ask, works, letGo, stop } = await started({});
  const noisy = Array.from({ length: 5 }, () => ask('noisy'));
  await works(2);
  const others = [ask('quiet'), ask('x', '/v1/open'), ask('x', '/v1/open'), ask('x', '/v1/open')];
  expect(await works(6)).toEqual(['nobody', 'nobody', 'nobody', 'noisy', 'noisy', 'quiet']);
  letGo();
  const answers = await Promise.all([...noisy, ...others]);
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200));
  await stop();
});

it('a request without a token has its turn among those of the tenant that its endpoint finds in it', async () => {
  const { ask, works, letGo, stop } = await started({});
  const noisy = Array.from({ length: 4 }, () => ask('anybody', '/v1/shops/noisy'));
  await works(2);
  const others = [ask('noisy'), ask('anybody', '/v1/shops/quiet')];
  expect(await works(3)).toEqual(['noisy', 'noisy', 'quiet']);
  letGo();
  const answers = await Promise.all([...noisy, ...others]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  await stop();
});

it('a request that waits for too long behind those of its own tenant is refused with the time to come again', async () => {
  const { ask, works, letGo, stop } = await started({ most: 1, patienceMs: 1 });
  const first = ask('S1');
  await works(1);
  expect(await ask('S1')).toEqual({ status: 429, retryAfter: '1' });
  letGo();
  expect([(await first).status, (await ask('S1')).status]).toEqual([200, 200]);
  await stop();
});
