import type { CallResult } from '@platform/testing';
import { FakeBot } from './clients/bot.fake';
import { offlineService, SERVICE } from './chat.fixture';
import { startLifecycle, type Lifecycle } from './features/lifecycle/lifecycle.fixture';
import { hostileBody, textFieldsOf, wasTried, type TextField } from './hostile-fields.fixture';
import { casesByRoute, walkedRoutes } from './walk.cases.fixture';
import { newWorld, type WalkCase } from './walk.records.fixture';

const service = offlineService();
const fieldsOf = textFieldsOf(service);
let chat: Lifecycle;
beforeAll(async () => {
  chat = await startLifecycle({ bot: new FakeBot(), environment: { STICKY_HOURS: '1', SEND_READ_RECEIPT: 'on' } });
});
afterAll(() => chat.stop());

const LONGEST = 64 * 1024;
/** As long as the field allows; a cut at any unit, odd or even, falls into an emoji of one of the two. */
const emojis =
  (begin: string) =>
  (most: number): string =>
    begin + '😀'.repeat(Math.max(0, Math.floor((Math.min(most, LONGEST) - begin.length) / 2)));

/** Texts that have broken services; each is given the length that its field documents. */
const HOSTILE: Readonly<Record<string, (most: number) => string>> = {
  'halves of characters, from right to left,': () => 'ab\ud83dc\ude00 \u202e\u0645\u0631\u05e9\u05dc\u200f',
  'U+0000': () => 'a\0b\ud83d',
  'emoji at even places': emojis(''),
  'emoji at odd places': emojis('a'),
  '64 KB': () => 'x'.repeat(LONGEST),
};

/** Nearly every field refuses them by itself. */
const REFUSED = ['U+0000', '64 KB'];

const isBroken = ({ status, body }: CallResult): boolean =>
  status >= 500 || (body as { code?: string } | null)?.code === 'internal';

interface Good {
  readonly path: string;
  readonly body: unknown;
}

/** An address is UTF-8, which has no halves of characters. */
const inAddress = (text: string): string =>
  Buffer.from(text)
    .toString()
    .slice(0, 512)
    .replace(/[\ud800-\udbff]$/, '');

const [MIXED] = Object.keys(HOSTILE);
/** Variants have the handlers and rules of their default routes: one text shows that nothing else of theirs breaks. */
const routesFor = (name: string) =>
  walkedRoutes(service).filter(([, { spelling }]) => name === MIXED || spelling === 'default');

describe.each(Object.entries(HOSTILE))('%s in every text', (named, hostile) => {
  it.each(routesFor(named))('of %s breaks nothing', async (route, { method, name, guard, spelling }) => {
    const walk = casesByRoute[name];
    if (!walk) throw new Error(`${route} has no case`);
    const template = route.split(' ')[1] ?? '';
    const { body: fields, query } = fieldsOf(method, template);
    const caller = { jwt: chat.people.rina, service: chat.tokens.tokenFor(SERVICE) }[guard] ?? '';
    const broken: unknown[] = [];
    const hidden: unknown[] = [];
    const newCase = async () => walk(await newWorld(chat, spelling));
    const shared = await newCase();
    const call = async ({ path = template, body, token }: WalkCase, made: (good: Good) => Good) => {
      // Forms are taken as JSON too
      const good = { path, body: body instanceof FormData ? Object.fromEntries(body) : body };
      const { path: called, body: sent } = made(good);
      return chat.call(called, { method, token: token ?? caller, ...(sent === undefined ? {} : { body: sent }) });
    };
    /** What one call has changed must not refuse the next, or answer it: texts that are stored have a world each. */
    const ask = async (at: TextField['at'], made: (good: Good) => Good) => {
      const told = (answer: CallResult) => [at.join('.'), answer.status, answer.body];
      let answer = await call(REFUSED.includes(named) ? shared : await newCase(), made);
      if (isBroken(answer)) return void broken.push(told(answer));
      if (wasTried(at, answer)) return;
      answer = await call(await newCase(), made);
      if (isBroken(answer)) broken.push(told(answer));
      else if (!wasTried(at, answer)) hidden.push(told(answer));
    };
    for (const { at, maxLength = LONGEST } of fields)
      await ask(at, ({ path, body }) => ({ path, body: hostileBody(body, at, hostile(maxLength)) }));
    const text = inAddress(hostile(LONGEST));
    for (const key of query)
      await ask([key], ({ path, body }) => {
        const [address = '', search = ''] = path.split('?');
        const given = new URLSearchParams(search);
        given.set(key, text);
        return { path: `${address}?${String(given)}`, body };
      });
    for (const one of template.match(/\{\w+\}/g) ?? [])
      await ask([one], ({ path, body }) => {
        const search = path.split('?')[1];
        const address = template.replace(one, encodeURIComponent(text)).replaceAll(/\{\w+\}/g, 'x');
        return { path: search === undefined ? address : `${address}?${search}`, body };
      });
    expect({ broken, hidden }).toEqual({ broken: [], hidden: [] });
  });
});

it('a generated description names texts, or nothing was tried', () => {
  expect(fieldsOf('POST', '/v1/send_message').body.map(({ at }) => at.join('.'))).toContain('pesan');
  expect(fieldsOf('POST', '/v1/send_broadcast_crm').body.map(({ at }) => at.join('.'))).toContain('penerima.0.nohp');
  expect(fieldsOf('GET', '/internal/tickets').query).toContain('q');
});
