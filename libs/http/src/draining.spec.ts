import { connect, createServer, type AddressInfo } from 'node:net';
import { silentLogger } from '@platform/runtime';
import { httpClient } from './client';
import { peer } from './peer';
import { path } from './peer-path';
import { startService } from './server';
import { fixtureService } from './service.fixture';

const LINGER_MS = 300;
const CALLERS = 8;
const ROLLS = 4;

const startPod = () =>
  startService(fixtureService(), { port: 0, host: '127.0.0.1', logger: silentLogger, lingerMs: LINGER_MS });

/** As a Service in a cluster: a new connection goes to a pod that is ready, an old one stays where it is. */
const startRouter = async () => {
  const router = { to: '', url: '', stop: () => void server.close() };
  const server = createServer((near) => {
    const far = connect(Number(new URL(router.to).port), '127.0.0.1');
    for (const end of [near, far]) end.on('error', () => undefined).on('close', () => (near.destroy(), far.destroy()));
    near.pipe(far).pipe(near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  router.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return router;
};

describe('a sibling that calls in a loop while pods stop, one after the other', () => {
  it.each([
    ['GET', path('/text')],
    ['POST', path('/v1/echo')],
  ] as const)('has no call that fails: %s', async (method, where) => {
    const router = await startRouter();
    let pod = await startPod();
    router.to = pod.url;
    const http = httpClient('pods', router.url);
    const sibling = peer('pods', http, { timeoutMs: 5_000, token: () => 'S1' });
    const failures: unknown[] = [];
    let [calls, rolling, wanted] = [0, true, 0];
    let enough = (): void => undefined;
    /** Resolves after so many more calls. */
    const called = (more: number) => {
      wanted = calls + more;
      return new Promise<void>((resolve) => (enough = resolve));
    };
    const caller = async (): Promise<void> => {
      while (rolling) {
        const asked =
          method === 'GET'
            ? http.call({ path: where.address })
            : sibling.ask({ method, path: where, json: { text: 'x' } });
        await asked.catch((failure: unknown) => failures.push(failure));
        if (++calls === wanted) enough();
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
      }
    };
    const callers = Array.from({ length: CALLERS }, caller);
    for (let rolls = 0; rolls < ROLLS; rolls++) {
      const [next] = await Promise.all([startPod(), called(100)]);
      router.to = next.url;
      await pod.stop();
      pod = next;
    }
    rolling = false;
    await Promise.all(callers);
    await http.stop?.();
    await pod.stop();
    router.stop();
    expect(failures).toEqual([]);
  });
});
