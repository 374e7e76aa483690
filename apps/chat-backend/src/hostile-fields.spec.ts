import { FakeBot } from './clients/bot.fake';
import { offlineService, SERVICE } from './chat.fixture';
import { startLifecycle, type Lifecycle } from './features/lifecycle/lifecycle.fixture';
import { textFieldsOf, withText, type TextField } from './hostile-fields.fixture';
import { casesByRoute, walkedRoutes } from './walk.cases.fixture';
import { newWorld } from './walk.records.fixture';

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
  'U+0000 and halves of characters, from right to left,': () =>
    'a\0b\ud83dc\ude00 \u202e\u0645\u0631\u05e9\u05dc\u200f',
  'U+0000 alone': () => '\0',
  'emoji at even places': emojis(''),
  'emoji at odd places': emojis('a'),
  '64 KB': () => 'x'.repeat(LONGEST),
};

const isBroken = (status: number, body: unknown): boolean =>
  status >= 500 || (body as { code?: string } | null)?.code === 'internal';

/** An address is UTF-8, which has no halves of characters. */
const inAddress = (text: string): string =>
  encodeURIComponent(
    Buffer.from(text)
      .toString()
      .slice(0, 512)
      .replace(/[\ud800-\udbff]$/, ''),
  );

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
    const world = await newWorld(chat, spelling);
    const { path = template, body, token } = await walk(world);
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
    // Forms are taken as JSON too
    const good = body instanceof FormData ? Object.fromEntries(body) : body;
    const textOf = ({ maxLength = LONGEST }: TextField) => hostile(maxLength);
    for (const field of fields) await ask(field.at.join('.'), path, withText(good, field.at, textOf(field)));
    const escaped = inAddress(hostile(LONGEST));
    const [address = '', search = ''] = path.split('?');
    for (const key of query) await ask(`?${key}`, `${address}?${search}&${key}=${escaped}`, good);
    const parameters = template.match(/\{\w+\}/g) ?? [];
    for (const one of parameters)
      await ask(one, template.replace(one, escaped).replaceAll(/\{\w+\}/g, 'x') + (search && `?${search}`), good);
    expect(broken).toEqual([]);
  });
});

it('a generated description names texts, or nothing was tried', () => {
  expect(fieldsOf('POST', '/v1/send_message').body.map(({ at }) => at.join('.'))).toContain('pesan');
  expect(fieldsOf('POST', '/v1/send_broadcast_crm').body.map(({ at }) => at.join('.'))).toContain('penerima.0.nohp');
  expect(fieldsOf('GET', '/internal/tickets').query).toContain('q');
});
