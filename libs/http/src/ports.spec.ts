import { silentLogger } from '@platform/runtime';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

describe('a service with an internal port', () => {
  let split: RunningService;
  beforeAll(async () => {
    const options = { port: 0, internalPort: 0, host: '127.0.0.1', logger: silentLogger };
    split = await startService(fixtureService(), options);
  });
  afterAll(() => split.stop());

  it('hides variants and internal routes on the public one', async () => {
    const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"text":"x"}' };
    const statuses = (url: string) =>
      Promise.all(['/v1/echo_admin', '/internal/sync'].map(async (path) => (await fetch(url + path, post)).status));
    expect([await statuses(split.url), await statuses(split.internalUrl)]).toEqual([
      [404, 404],
      [200, 200],
    ]);
  });

  it('answers strangers on the public one only whether it is ready', async () => {
    const paths = ['/ready', '/health', '/metrics', '/docs', '/docs.json'];
    const statuses = (url: string) => Promise.all(paths.map(async (path) => (await fetch(url + path)).status));
    expect([await statuses(split.url), await statuses(split.internalUrl)]).toEqual([
      [200, 404, 404, 404, 404],
      [200, 200, 200, 200, 200],
    ]);
  });
});
