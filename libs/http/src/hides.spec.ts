import { startService, type RunningService } from './server';
import { silentLogger } from '@platform/runtime';
import { endpointsOf } from './endpoint';
import { fixtureService } from './service.fixture';
import { publicGuard } from './request-view';

const endpoint = endpointsOf<{ public: undefined; closed: undefined }>();
const closed = {
  label: 'closed',
  authenticate: () => {
    throw new Error('is not to be asked');
  },
};
const shown = (path: '/open' | '/slow' | '/closed', guard: 'public' | 'closed') =>
  endpoint({ get: path, summary: 'Answers', guard, reply: 'json', handle: () => ({ path }) });

let running: RunningService;
beforeAll(async () => {
  const service = fixtureService({
    endpoints: [shown('/open', 'public'), shown('/slow', 'public'), shown('/closed', 'closed')],
    guards: { public: publicGuard, closed },
    hides: ({ path, headers }, { label }) => {
      const hidden = headers['x-where'] === 'outside' && (label === 'closed' || path === '/slow');
      return path === '/slow' ? Promise.resolve(hidden) : hidden;
    },
  });
  running = await startService(service, { port: 0, host: '127.0.0.1', logger: silentLogger });
});
afterAll(() => running.stop());

const answerOf = async (path: string, where: string) => {
  const answer = await fetch(running.url + path, { headers: { 'x-where': where } });
  return { status: answer.status, body: await answer.text() };
};

it('a hidden route answers as an unknown path does, and its guard is not asked', async () => {
  const unknown = await answerOf('/nowhere', 'outside');
  expect(unknown.status).toBe(404);
  expect(await answerOf('/closed', 'outside')).toEqual(unknown);
  expect(await answerOf('/slow', 'outside')).toEqual(unknown);
});

it('a route is served where it is not hidden', async () => {
  expect(await answerOf('/open', 'outside')).toEqual({ status: 200, body: '{"result":true,"path":"/open"}' });
  expect(await answerOf('/slow', 'inside')).toEqual({ status: 200, body: '{"result":true,"path":"/slow"}' });
});
