import { join } from 'node:path';
import { caller, documentedAnswers, useRecordedAnswers } from '@platform/testing';
import { furnish } from './contract-routes.fixture';
import { useCloudGateway } from './engines/cloud/cloud.fixture';
import { offlineService } from './gateway.fixture';
import { walkCases } from './walk.cases.fixture';

const service = offlineService();
const misfits = documentedAnswers(service);
const recorded = useRecordedAnswers(join(__dirname, 'examples.answers.json'), [
  // A group is numbered when it is made, and a stored file named
  [/120363\d{12}/, (nth) => `120363${String(nth).padStart(12, '0')}`],
]);
/** Files and the page of the simulator are no examples. */
const routes = service.endpoints
  .filter(({ reply }) => reply !== 'bytes' && reply !== 'page')
  .map(({ method, path }) => [`${method.toUpperCase()} ${path}`, method.toUpperCase(), path] as const);
const { gateway } = useCloudGateway();
beforeAll(() => furnish(gateway));

it.each(routes)('a good call of %s answers what the documentation shows', async (route, method, path) => {
  const walk = walkCases[route];
  if (!walk) throw new Error(`${route} is mounted and has no case: add one to walk.cases.fixture.ts`);
  const { path: called = path, ...request } = await walk(gateway);
  const { status, body } = await caller(gateway.client.url)(called, { method, ...request });
  expect({ status, misfits: misfits(method, called, status, body) }).toEqual({ status: 200, misfits: [] });
  recorded(route, { request: request.body, status, response: body });
});

it('has no case for a route that is not there', () =>
  expect(Object.keys(walkCases).filter((name) => !routes.some(([route]) => route === name))).toEqual([]));
