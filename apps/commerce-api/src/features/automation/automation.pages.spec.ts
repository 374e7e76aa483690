// Automatic replies in a browser without script: kept as typed, in their order, and tried by the function of the message path.
import { useRunning } from '@platform/testing';
import { startFakeAgents } from '../../clients/bot.agents.fake';
import { startCommerce } from '../../commerce.fixture';
import { signedIn } from '../../web/browser.fixture';

const bot = useRunning(startFakeAgents);
const commerce = useRunning(() => startCommerce({ BOT_URL: bot.url, OWNER_TIMEOUT_MS: '1500' }));
beforeEach(() => {
  bot.state.mood = 'answer';
  bot.agents.add('A1');
});

const alertOf = (text: string): string => /class="alert bad"[^>]*>(?:<[^>]*>)*([^<]+)/.exec(text)?.[1] ?? '';
const wordsIn = (text: string): string[] =>
  [...text.matchAll(/<summary class="variant-row"><b dir="auto">([^<]*)</g)].map(([, words = '']) => words);

const begun = async () => {
  const shop = await signedIn(commerce);
  const { browser, storeId } = shop;
  const act = async (fields: Record<string, string>) => {
    await browser.get('/chatbot');
    return browser.post('/chatbot', fields);
  };
  const add = (keywords: string, text = 'Jl. Merdeka 1', more: Record<string, string> = {}) =>
    act({ action: 'create', keywords, match: 'contains', 'reply[text]': text, active: 'true', ...more });
  const rules = () =>
    commerce.database.query<{ id: string; active: boolean; keywords: string[] }>(
      'SELECT id, active, keywords FROM chatbot_rule WHERE store_id = $1 ORDER BY position',
      [storeId],
    );
  return { ...shop, act, add, rules };
};

it('words between commas are one rule however often it is sent, and a message shows which one answers', async () => {
  const { browser, rules, add } = await begun();
  await browser.get('/chatbot');
  const fields = { action: 'create', keywords: 'alamat, lokasi ,', match: 'contains', 'reply[text]': '<b>Sini</b>' };
  const sent = { ...browser.hidden('/chatbot'), ...fields, active: 'true' };
  const answers = [await browser.send('/chatbot', sent), await browser.send('/chatbot', sent)];
  expect([answers.map(({ status }) => status), (await rules()).map(({ keywords }) => keywords)]).toEqual([
    ...[[303, 303], [['alamat', 'lokasi']]],
  ]);
  await add('lokasi', 'kedua');
  const { text } = await browser.get('/chatbot?text=Di+mana+LOKASI+toko%3F');
  expect(text).toMatch(/role="status"><p>Yang menjawab: <b dir="auto">alamat, lokasi</);
  expect([text.includes('&lt;b>Sini'), text.includes('<b>Sini')]).toEqual([true, false]);
  expect((await browser.get('/chatbot?text=halo')).text).toContain('Tidak ada balasan otomatis yang cocok');
});

it('what is wrong stands at its input with everything that was typed', async () => {
  const { add, rules } = await begun();
  const { status, text } = await add(' , ', '');
  expect([status, text.includes('Kata kunci harus diisi.'), await rules()]).toEqual([422, true, []]);
  const long = await add('a'.repeat(61), 'Jawab');
  expect([
    long.status,
    long.text.includes('>Jawab</textarea>'),
    long.text.includes('id="create-keywords-error"'),
  ]).toEqual([...[422, true, true]]);
});

it('rules are moved, switched off, changed unless somebody else did so, and deleted', async () => {
  const { browser, act, add, rules } = await begun();
  for (const words of ['satu', 'dua', 'tiga']) await add(words);
  const [, second] = await rules();
  const id = second?.id ?? '';
  await act({ action: `up.${id}`, id });
  await act({ action: `up.${id}`, id });
  expect(wordsIn((await browser.get('/chatbot')).text)).toEqual(['dua', 'satu', 'tiga']);
  const { text } = await browser.get('/chatbot');
  const seen = new RegExp(`value="${id}"/><input type="hidden" name="seen" value="([^"]+)"`).exec(text)?.[1] ?? '';
  const save = (keywords: string) =>
    browser.send('/chatbot', {
      ...{ ...browser.hidden('/logout'), action: `save.${id}`, id, seen, keywords, match: 'exact' },
      'reply[text]': 'Halo',
    });
  expect((await save('dua puluh')).status).toBe(303);
  const [changed] = await rules();
  expect(changed).toEqual({ id, active: false, keywords: ['dua puluh'] });
  await browser.get('/chatbot');
  const stale = await save('dua ratus');
  expect([stale.status, stale.text.includes('value="dua ratus"')]).toEqual([409, true]);
  await act({ action: `remove.${id}`, id });
  expect((await rules()).length).toBe(2);
});

it('the welcome text is written by an assistant without being saved, and saved as it was changed', async () => {
  const { browser, storeId } = await begun();
  const kept = () =>
    commerce.database.query('SELECT enabled, text FROM welcome_message WHERE store_id = $1', [storeId]);
  const typed = { enabled: 'true', text: 'lama', once_per_hours: '24', agent_id: 'A1', tone: 'santai' };
  await browser.get('/chatbot/welcome');
  const made = await browser.post('/chatbot/welcome', { ...typed, write: '1' });
  expect([made.status, await kept()]).toEqual([200, []]);
  expect(made.text).toContain('>Halo Kak, ada yang bisa dibantu?</textarea>');
  expect([made.text.includes('value="santai"'), made.text.includes('value="24"')]).toEqual([true, true]);
  const saved = await browser.post('/chatbot/welcome', { ...typed, text: 'Halo' });
  expect([saved.location, await kept()]).toEqual(['/chatbot/welcome', [{ enabled: true, text: 'Halo' }]]);
  await browser.get('/chatbot/welcome');
  await browser.post('/chatbot/welcome', { text: 'Halo', once_per_hours: '', agent_id: '', tone: '' });
  expect(await kept()).toEqual([{ enabled: false, text: 'Halo' }]);
});

it('Enter in an input of the welcome text saves it: its first button has nothing written over it', async () => {
  const { browser } = await begun();
  const { text } = await browser.get('/chatbot/welcome');
  const [form = ''] = /<form [^>]*action="\/chatbot\/welcome".*?<\/form>/s.exec(text) ?? [];
  expect(form.match(/<button[^>]*>/g)?.map((button) => / name="(\w+)"/.exec(button)?.[1])).toEqual([
    ...[undefined, 'write', undefined],
  ]);
});

it('while bot-engine is away the welcome text can be written by hand, and what was typed comes back', async () => {
  const { browser, storeId } = await begun();
  bot.state.mood = 'down';
  const { status } = await browser.get('/chatbot/welcome');
  const asked = await browser.post('/chatbot/welcome', { text: 'Hai', agent_id: 'A1', write: '1' });
  const failed = await browser.post('/chatbot/welcome', { text: 'Hai', agent_id: 'A1' });
  expect([status, asked.status, failed.status]).toEqual([200, 200, 502]);
  expect([asked.text.includes('>Hai</textarea>'), failed.text.includes('>Hai</textarea>')]).toEqual([true, true]);
  expect(alertOf(failed.text)).toContain('yang Anda ketik tidak hilang');
  await browser.post('/chatbot/welcome', { text: 'Hai', agent_id: '' });
  const [kept] = await commerce.database.query('SELECT text FROM welcome_message WHERE store_id = $1', [storeId]);
  expect(kept).toEqual({ text: 'Hai' });
});
