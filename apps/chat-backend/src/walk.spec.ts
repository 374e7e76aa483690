import { join } from 'node:path';
import { useRecordedAnswers } from '@platform/testing';
import { offlineService, SERVICE } from './chat.fixture';
import { startLifecycle, type Lifecycle } from './features/lifecycle/lifecycle.fixture';
import { newWorld } from './walk.records.fixture';
import { casesByRoute as cases, walkedRoutes } from './walk.cases.fixture';

const service = offlineService();
const recorded = useRecordedAnswers(join(__dirname, 'examples.answers.json'), [
  // Every world has a customer of its own, and tickets are counted
  [/62855\d{7}/, (nth) => `628550000${String(nth).padStart(3, '0')}`],
  [/WALK\d+/, (nth) => `WALK${nth}`],
  [/TKT-\d{6}/, () => 'TKT-000001'],
]);
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle();
});
afterAll(async () => {
  await chat.stop();
});

describe('a good call of every route answers the whole documented body', () => {
  it.each(walkedRoutes(service))('%s', async (route, { method, name, guard, spelling }) => {
    const walk = cases[name];
    if (!walk) throw new Error(`${route} is mounted and has no case: add one to a walk.*.fixture.ts`);
    const world = await newWorld(chat, spelling);
    const { path: called = route.split(' ')[1] ?? '', body, token, answer } = await walk(world);
    const caller = { jwt: chat.people.rina, service: chat.tokens.tokenFor(SERVICE) }[guard] ?? '';
    const answered = await chat.call(called, {
      method,
      token: token ?? caller,
      ...(body === undefined ? {} : { body }),
    });
    expect({ status: answered.status, body: answered.body }).toEqual({ status: 200, body: answer });
    // Files are no examples, and forms with a file in them no requests to copy
    if (spelling !== 'default' || typeof answered.body !== 'object') return;
    const request = body instanceof FormData ? undefined : body;
    recorded(name, { request, status: 200, response: answered.body });
  });

  it('has no case for a route that is not there', () =>
    expect(
      Object.keys(cases).filter(
        (name) => !service.endpoints.some(({ method, path }) => `${method.toUpperCase()} ${path}` === name),
      ),
    ).toEqual([]));
});
