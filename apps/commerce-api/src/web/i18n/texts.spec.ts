// Everything that pages say, in both languages.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from './catalogue';
import { textsOf } from './texts';

const FEATURES = join(__dirname, '../../features');
const files = readdirSync(FEATURES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.texts.ts'));

/** What modules say beside their pages. */
const catalogues = files.flatMap((path) => {
  const exported = jest.requireActual<Record<string, Catalogue<object>>>(join(FEATURES, path));
  return Object.entries(exported).map(([name, texts]) => [`${path} ${name}`, texts] as const);
});
const all: readonly (readonly [string, Catalogue<object>])[] = [['every page', textsOf], ...catalogues];

/** Words that are the same in both, and names. */
const ALIKE: ReadonlySet<string> = new Set([
  ...['admin', 'bot', 'chat', 'email', 'link', 'menu', 'status', 'subtotal', 'total', 'webhook', 'whatsapp'],
  ...['barcode', 'sku'],
]);

/** Whatever a text asks for. */
const GIVEN = new Proxy({}, { get: (_, name) => `‹${String(name)}›` });

type Said = readonly (readonly [name: string, text: string])[];

/** `form.rules.max`: what it says. */
const saidBy = (texts: object, path = ''): Said =>
  Object.entries(texts).flatMap(([name, text]: [string, unknown]): Said => {
    if (typeof text === 'string') return [[path + name, text]];
    if (typeof text === 'function') return [[path + name, String((text as (given: object) => unknown)(GIVEN))]];
    return saidBy(text as object, `${path}${name}.`);
  });

const given = (text: string): string =>
  [...text.matchAll(/‹\w+›/g)]
    .map(([name]) => name)
    .sort()
    .join();
/** What stands in a text beside what it is given. */
const bare = (text: string): string => text.replace(/‹\w+›/g, '').trim().toLowerCase();

const empty = (said: Said): string[] => said.filter(([, text]) => text.trim() === '').map(([name]) => name);

/** Names whose text is the same in both languages, and that is no word of both. */
const untranslated = (id: Said, en: Said): string[] => {
  const english = new Map(en);
  return id
    .filter(([name, text]) => english.get(name) === text && /\p{L}/u.test(bare(text)) && !ALIKE.has(bare(text)))
    .map(([name]) => name);
};

/** Names whose texts are given other things in one language than in the other. */
const unlike = (id: Said, en: Said): string[] => {
  const english = new Map(en);
  return id.filter(([name, text]) => given(text) !== given(english.get(name) ?? '')).map(([name]) => name);
};

describe.each(all)('the texts of %s', (_, texts) => {
  const [id, en] = [saidBy(texts({ locale: 'id' })), saidBy(texts({ locale: 'en' }))];

  it('have the same names in both languages, in the same order', () =>
    expect(en.map(([name]) => name)).toEqual(id.map(([name]) => name)));

  it('are all there, translated, and say the same things', () =>
    expect([empty([...id, ...en]), untranslated(id, en), unlike(id, en)]).toEqual([[], [], []]));
});

it('what is missing, not translated or says other things is found', () => {
  const id: Said = [...saidBy({ a: 'Halo', b: { c: '' }, d: ({ n }: { n: string }) => `${n} kali`, e: 'Status' })];
  const en: Said = [...saidBy({ a: 'Halo', b: { c: 'Two' }, d: ({ m }: { m: string }) => `${m} times`, e: 'Status' })];
  expect([empty(id), untranslated(id, en), unlike(id, en)]).toEqual([['b.c'], ['a'], ['d']]);
});
