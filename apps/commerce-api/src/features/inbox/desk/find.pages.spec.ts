// Messages within one chat, without script, with chat-backend as a process beside it.
import { useRunning } from '@platform/testing';
import { startInboxWorld } from '../inbox.fixture';
import { agentIn, at, begunIn, PHONE, textsIn } from './desk.fixture';
import { snippetOf } from './found.view';

const world = useRunning(startInboxWorld);

const HOSTILE = `</mark><script>alert(1)</script>\u202e"'& Lari javascript:alert(2)`;
const hitsIn = (text: string): string[] =>
  [...text.matchAll(/<\/time><\/span><span dir="auto">(.*?)<\/span>/g)].map(([, hit = '']) => hit);
const linksIn = (text: string): string[] =>
  [...text.matchAll(/<li class="row"><a href="([^"]+#m-[^"]+)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );

const begun = async () => {
  const one = await begunIn(world, 'sepatu lari biru?');
  for (let n = 2; n <= 20; n += 1) await one.shop.writes(PHONE, `pesan ${n}`);
  await one.shop.writes(PHONE, HOSTILE);
  const find = async (words: string, { browser } = one.rina, more = '') =>
    browser.get(`${at(one.chat)}?find=${encodeURIComponent(words)}${more}`);
  return { ...one, find };
};

it('words lead to their messages, the newest first, with the time and each hit marked; a message is shown in its place', async () => {
  const { rina, chat, find } = await begun();
  expect((await rina.browser.get(at(chat))).text).toContain('name="find"');
  const { text } = await find('lari');
  expect([hitsIn(text).length, hitsIn(text)[1]]).toEqual([2, 'sepatu <mark>lari</mark> biru?']);
  expect(hitsIn(text)[0]).toContain('<mark>Lari</mark>');
  expect(text).not.toMatch(/<script>alert/);
  expect(text).not.toContain('data-live');
  expect(text).toContain('value="lari"');
  const [, oldest = ''] = linksIn(text);
  const page = (await rina.browser.get(oldest)).text;
  const [, id = ''] = oldest.split('#m-');
  expect([textsIn(page)[0], textsIn(page).length]).toEqual(['sepatu lari biru?', 10]);
  expect(page).toContain(`<li id="m-${id}" class="bubble"`);
  expect(page).toContain('Ke pesan terbaru');
});

it('what fits nothing says so, and no words are the chat itself', async () => {
  const { find } = await begun();
  expect((await find('tidak ada')).text).toContain('Tidak ada pesan yang cocok');
  for (const none of ['', ' ', '\u200b']) expect(textsIn((await find(none)).text)).toHaveLength(21);
  expect((await find('x'.repeat(101))).status).toBeLessThan(500);
  for (const odd of ['%', '(', '[a', '\\', '"><script>', '\u202e'])
    expect([odd, (await find(odd)).status]).toEqual([odd, 200]);
});

it('more than a page of hits goes on before the oldest of them, and each is met once', async () => {
  const { shop, chat, rina, find } = await begun();
  for (let n = 1; n <= 35; n += 1) await shop.writes(PHONE, `kaus merah ${n}`);
  const first = await find('kaus');
  const next =
    /<a class="button" href="([^"]+find=kaus[^"]*)">Cari di pesan yang lebih lama/.exec(first.text)?.[1] ?? '';
  const second = await rina.browser.get(next.replaceAll('&amp;', '&'));
  const all = [first, second].flatMap(({ text }) => hitsIn(text));
  expect(all).toEqual(Array.from({ length: 35 }, (_, n) => `<mark>kaus</mark> merah ${35 - n}`));
  expect(second.text).not.toContain('Cari di pesan yang lebih lama');
  expect(second.text).toContain(`href="${at(chat)}?view=waiting"`);
});

it("of another team's and another store's chat nothing is found, and while chat-backend is away the page says so", async () => {
  const { shop, chat, rina } = await begun();
  const foreign = await agentIn(world, shop, '9');
  const other = await begunIn(world);
  for (const { browser } of [foreign, other.rina])
    expect((await browser.get(`${at(chat)}?find=lari`)).status).toBe(404);
  await world.chat.kill();
  const away = await rina.browser.get(`${at(chat)}?find=lari`);
  await world.chat.restart();
  expect([away.status, away.text.includes('Chat sedang tidak tersambung')]).toEqual([200, true]);
});

it.each([
  ['sepatu lari', 'LARI', ['sepatu ', 'lari', '']],
  ['a.b a+b', 'a+b', ['a.b ', 'a+b', '']],
  ['satu  dua\ntiga', 'dua tiga', ['satu ', 'dua', ' ', 'tiga', '']],
  ['dua satu dua satu', 'satu dua', ['dua ', 'satu', ' ', 'dua', ' satu']],
  ['a'.repeat(5_000), `${'a '.repeat(49)}b`, [`${'a'.repeat(140)}…`]],
  ['kosong', 'x', ['kosong']],
  [`${'😀'.repeat(60)}lari${'b'.repeat(200)}`, 'lari', [`…${'😀'.repeat(30)}`, 'lari', `${'b'.repeat(136)}…`]],
])('of %j looked for by %j', (text, words, parts) => expect(snippetOf(text, words)).toEqual(parts));
