import { chatEnvelope } from '@platform/envelopes';
import { NotFound } from '@platform/errors';
import { silentLogger } from '@platform/runtime';
import { endpointsOf } from './endpoint';
import { publicGuard } from './request-view';
import { startService, type RunningService } from './server';

class Parked extends Error {}

const endpoint = endpointsOf<{ public: undefined }>();
const thrower = (path: '/parked' | '/refused' | '/plain', failure: Error) =>
  endpoint({
    get: path,
    summary: 'Throws',
    guard: 'public',
    reply: 'json',
    handle: () => {
      throw failure;
    },
  });

let running: RunningService;
beforeAll(async () => {
  running = await startService(
    {
      name: 'intercepted',
      description: 'A service with a hook',
      endpoints: [
        thrower('/parked', new Parked('here')),
        thrower('/refused', new Parked('away')),
        thrower('/plain', new NotFound('no such thing')),
      ],
      guards: { public: publicGuard },
      envelope: chatEnvelope,
      components: [],
      intercept: (thrown, { request, response, received }) => {
        if (!(thrown instanceof Parked)) return undefined;
        if (thrown.message === 'away') return Promise.reject(new NotFound('gone away'));
        response.end(JSON.stringify({ answered: request.url, received: received ?? null }));
        return Promise.resolve();
      },
    },
    { port: 0, host: '127.0.0.1', logger: silentLogger },
  );
});
afterAll(() => running.stop());

const bodyOf = async (path: string): Promise<unknown> => (await fetch(running.url + path)).json();

it('a hook answers in place of the handler that threw', async () => {
  expect(await bodyOf('/parked')).toEqual({ answered: '/parked', received: null });
});

it('a failure of the hook is refused in the envelope of the service', async () => {
  expect(await bodyOf('/refused')).toEqual({ result: false, message: 'gone away' });
});

it('a failure that the hook leaves alone is refused as if there were no hook', async () => {
  expect(await bodyOf('/plain')).toEqual({ result: false, message: 'no such thing' });
});
