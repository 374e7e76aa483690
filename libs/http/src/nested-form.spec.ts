import { silentLogger } from '@platform/runtime';
import { startService, type RunningService } from './server';
import { fixtureService } from './service.fixture';

let service: RunningService;
beforeAll(async () => {
  service = await startService(fixtureService(), { port: 0, host: '127.0.0.1', logger: silentLogger });
});
afterAll(() => service.stop());

const lines = async (body: URLSearchParams | string) => {
  const headers: Record<string, string> = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const answer = await fetch(`${service.url}/v1/lines`, { method: 'POST', body, headers });
  return { status: answer.status, body: (await answer.json()) as unknown };
};

it('a form with bracketed names is read as the objects they describe', async () =>
  expect(await lines(new URLSearchParams({ 'items[0][qty]': '2', 'items[1][qty]': '3' }))).toEqual({
    status: 200,
    body: { items: [{ qty: 2 }, { qty: 3 }] },
  }));

it('a form with a field name that addresses a prototype is refused', async () =>
  expect(await lines(new URLSearchParams({ 'items[__proto__][qty]': '2' }))).toEqual({
    status: 422,
    body: { status: 'error', message: 'items[__proto__][qty] is no name of a field' },
  }));

it('JSON with a text for a number is refused', async () =>
  expect((await lines('{"items":[{"qty":"2"}]}')).status).toBe(422));
