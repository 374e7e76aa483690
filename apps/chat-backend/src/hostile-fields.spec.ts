import { hostileCalls, hostileTexts, mixedText, textFieldsOf } from '@platform/testing';
import { FakeBot } from './clients/bot.fake';
import { offlineService, SERVICE } from './chat.fixture';
import { startLifecycle, type Lifecycle } from './features/lifecycle/lifecycle.fixture';
import { casesByRoute, walkedRoutes } from './walk.cases.fixture';
import { newWorld } from './walk.records.fixture';

const service = offlineService();
const fieldsOf = textFieldsOf(service);
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle({ bot: new FakeBot(), environment: { STICKY_HOURS: '1', SEND_READ_RECEIPT: 'on' } });
});
afterAll(() => chat.stop());

const isBroken = (status: number, body: unknown): boolean =>
  status >= 500 || (body as { code?: string } | null)?.code === 'internal';

/** Variants have the handlers and rules of their default routes: one text shows that nothing else of theirs breaks. */
const routesFor = (name: string) =>
  walkedRoutes(service).filter(([, { spelling }]) => name === mixedText || spelling === 'default');

describe.each(Object.entries(hostileTexts))('%s in every text', (named, hostile) => {
  it.each(routesFor(named))('of %s breaks nothing', async (route, { method, name, guard, spelling }) => {
    const walk = casesByRoute[name];
    if (!walk) throw new Error(`${route} has no case`);
    const template = route.split(' ')[1] ?? '';
    const { path = template, body, token } = await walk(await newWorld(chat, spelling));
    const caller = { jwt: chat.people.rina, service: chat.tokens.tokenFor(SERVICE) }[guard] ?? '';
    const broken: unknown[] = [];
    const ask = async (where: string, called: string, sent?: unknown) => {
      const answer = await chat.call(called, {
        method,
        token: token ?? caller,
        ...(sent === undefined ? {} : { body: sent }),
      });
      if (isBroken(answer.status, answer.body)) broken.push([where, answer.status, answer.body]);
    };
    for (const { where, ...call } of hostileCalls({ method, template, path, body }, fieldsOf, hostile))
      await ask(where, call.path, call.body);
    expect(broken).toEqual([]);
  });
});

it('a generated description names texts, or nothing was tried', () => {
  expect(fieldsOf('POST', '/v1/send_message').body.map(({ at }) => at.join('.'))).toContain('pesan');
  expect(fieldsOf('POST', '/v1/send_broadcast_crm').body.map(({ at }) => at.join('.'))).toContain('penerima.0.nohp');
  expect(fieldsOf('GET', '/internal/tickets').query).toContain('q');
});
