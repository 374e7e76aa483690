import request from 'supertest';
import { silentLogger } from '@platform/runtime';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

let service: RunningService;
beforeAll(async () => {
  service = await startService(fixtureService(), { port: 0, host: '127.0.0.1', logger: silentLogger });
});
afterAll(() => service.stop());

it.each([
  ['/text', 200],
  ['/Text', 404],
  ['/things/7/parts/x', 200],
  ['/Things/7/parts/x', 404],
  ['/things/7/PARTS/x', 404],
  ['/health', 200],
  ['/Health', 404],
])('paths are told apart by case, with and without parameters: GET %s answers %i', async (path, status) =>
  expect((await request(service.url).get(path)).status).toBe(status),
);

it('a parameter keeps the case in which it was written', async () => {
  const { body } = await request(service.url).get('/things/aB/parts/Cd');
  expect(body).toEqual({ result: true, id: 'aB', part: 'Cd', page: 1 });
});
