import {
  hostileTexts,
  inAddress,
  textFieldsOf,
  type CallResult,
  type TextField,
  type TextPath,
} from '@platform/testing';
import { FakeBot } from './clients/bot.fake';
import { offlineService, SERVICE } from './chat.fixture';
import { startLifecycle, type Lifecycle } from './features/lifecycle/lifecycle.fixture';
import { hostileBody, wasTried } from './hostile-fields.fixture';
import { casesByRoute, walkedRoutes } from './walk.cases.fixture';
import { newWorld, type WalkCase } from './walk.records.fixture';

const service = offlineService();
const fieldsOf = textFieldsOf(service);
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle({ bot: new FakeBot(), environment: { STICKY_HOURS: '1', SEND_READ_RECEIPT: 'on' } });
});
afterAll(() => chat.stop());

/** Nearly every field refuses them by itself. */
const REFUSED = ['U+0000 and halves of characters, from right to left,', 'U+0000 alone', '64 KB'];

const isBroken = ({ status, body }: CallResult): boolean =>
  status >= 500 || (body as { code?: string } | null)?.code === 'internal';

interface Good {
  readonly path: string;
  readonly body: unknown;
}

/** Taken by every text without a rule of its own. */
const TAKEN = 'halves of characters, from right to left,';
/** Variants have the handlers and rules of their default routes: one text shows that nothing else of theirs breaks. */
const routesFor = (name: string) =>
  walkedRoutes(service).filter(([, { spelling }]) => name === TAKEN || spelling === 'default');

describe.each(Object.entries(hostileTexts))('%s in every text', (named, hostile) => {
  it.each(routesFor(named))('of %s breaks nothing', async (route, { method, name, guard, spelling }) => {
    const walk = casesByRoute[name];
    if (!walk) throw new Error(`${route} has no case`);
    const template = route.split(' ')[1] ?? '';
    const { body: fields, query } = fieldsOf(method, template);
    const caller = { jwt: chat.people.rina, service: chat.tokens.tokenFor(SERVICE) }[guard] ?? '';
    const broken: unknown[] = [];
    const hidden: unknown[] = [];
    const newCase = async () => walk(await newWorld(chat, spelling));
    const shared = REFUSED.includes(named) ? await newCase() : undefined;
    const call = async ({ path = template, body, token }: WalkCase, made: (good: Good) => Good) => {
      // Forms are taken as JSON too
      const good = { path, body: body instanceof FormData ? Object.fromEntries(body) : body };
      const { path: called, body: sent } = made(good);
      return chat.call(called, { method, token: token ?? caller, ...(sent === undefined ? {} : { body: sent }) });
    };
    /** What one call has changed must not refuse the next, or answer it: texts that are stored have a world each. */
    const ask = async (at: TextPath, made: (good: Good) => Good) => {
      const told = (answer: CallResult) => [at.join('.'), answer.status, answer.body];
      let answer = await call(shared ?? (await newCase()), made);
      if (isBroken(answer)) return void broken.push(told(answer));
      if (wasTried(at, answer)) return;
      answer = await call(await newCase(), made);
      if (isBroken(answer)) broken.push(told(answer));
      else if (!wasTried(at, answer)) hidden.push(told(answer));
    };
    const inBody = ({ at, maxLength = Infinity }: TextField) =>
      ask(at, ({ path, body }) => ({ path, body: hostileBody(body, at, hostile(maxLength)) }));
    const text = inAddress(hostile(Infinity));
    const inQuery = (key: string) =>
      ask([key], ({ path, body }) => {
        const [address = '', search = ''] = path.split('?');
        const given = new URLSearchParams(search);
        given.delete(key);
        return { path: `${address}?${String(given)}&${key}=${text}`, body };
      });
    const inPath = (one: string) =>
      ask([one], ({ path, body }) => {
        const search = path.split('?')[1];
        const address = template.replace(one, text).replaceAll(/\{\w+\}/g, 'x');
        return { path: search === undefined ? address : `${address}?${search}`, body };
      });
    // At the same time, so that what brings their worlds is stored together
    await Promise.all([
      ...fields.map(inBody),
      ...query.map(inQuery),
      ...(template.match(/\{\w+\}/g) ?? []).map(inPath),
    ]);
    expect({ broken, hidden }).toEqual({ broken: [], hidden: [] });
  });
});

it('a generated description names texts, or nothing was tried', () => {
  expect(fieldsOf('POST', '/v1/send_message').body.map(({ at }) => at.join('.'))).toContain('pesan');
  expect(fieldsOf('POST', '/v1/send_broadcast_crm').body.map(({ at }) => at.join('.'))).toContain('penerima.0.nohp');
  expect(fieldsOf('GET', '/internal/tickets').query).toContain('q');
});
