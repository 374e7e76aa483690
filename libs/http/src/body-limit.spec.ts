import { silentLogger } from '@platform/runtime';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

let service: RunningService;

beforeAll(async () => {
  const options = { port: 0, host: '127.0.0.1', logger: silentLogger };
  service = await startService(fixtureService({ bodyLimit: 1024 }), options);
});
afterAll(() => service.stop());

const send = async (path: string, bytes: number) => {
  const headers = { authorization: 'Bearer S1', 'content-type': 'application/json' };
  const body = JSON.stringify({ text: 'x', more: 'x'.repeat(bytes) });
  return (await fetch(service.url + path, { method: 'POST', headers, body })).status;
};

describe('a body limit of the service', () => {
  it('the body limit of a service holds on every route that names none of its own', async () =>
    expect([await send('/v1/echo', 900), await send('/v1/echo', 1100)]).toEqual([200, 413]));

  it("a route's own body limit overrides that of its service", async () =>
    expect(await send('/v1/form', 5000)).toBe(200));
});
