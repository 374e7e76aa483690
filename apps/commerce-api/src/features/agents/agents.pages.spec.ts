// AI agents in a browser without script, with bot-engine as a process beside it.
import { until, useRunning } from '@platform/testing';
import { signedIn } from '../../web/browser.fixture';
import { startAgentsWorld } from './agents.fixture';

const world = useRunning(() => startAgentsWorld({ OWNER_TIMEOUT_MS: '3000' }));

const alertOf = (text: string): string => /class="alert bad"[^>]*>(?:<[^>]*>)*([^<]+)/.exec(text)?.[1] ?? '';
const HOSTILE = '<img src=x onerror=alert(1)>\u202e';

const begun = async () => {
  const { storeId } = await world.store();
  const { browser } = await signedIn(world.commerce, 'admin', storeId);
  const add = async (fields: Record<string, string> = {}) => {
    await browser.get('/agents');
    return browser.post('/agents', { name: 'Nusa', prompt: 'Kamu ramah.', ...fields });
  };
  const act = async (path: string, fields: Record<string, string>) => {
    await browser.get(path);
    return browser.post(path, fields);
  };
  const counted = () => world.counted(storeId);
  return { storeId, browser, add, act, counted };
};
const made = async () => {
  const shop = await begun();
  const { location = '' } = await shop.add();
  return { ...shop, path: location };
};

it('an agent is made once however often its form is sent, and what it is told stays text', async () => {
  const { browser, counted } = await begun();
  await browser.get('/agents');
  const fields = { name: 'Nusa', prompt: HOSTILE };
  const answers = await Promise.all([1, 2].map(() => browser.post('/agents', fields)));
  expect([new Set(answers.map(({ location }) => location)).size, await counted()]).toEqual([1, 1]);
  const { status, text } = await browser.get(String(answers[0]?.location));
  expect([status, text.includes('<img src=x'), text.includes('&lt;img src=x')]).toEqual([200, false, true]);
});

it('an agent is changed unless somebody else did so, its tools are those that are ticked, and it is switched off', async () => {
  const { browser, act, path } = await made();
  const page = await browser.get(path);
  const { _csrf = '' } = browser.hidden('/logout');
  const version = /name="version" value="(\d+)"/.exec(page.text)?.[1] ?? '';
  const save = (name: string) =>
    browser.send(path, {
      ...{ _csrf, version, action: 'save', name, prompt: 'Singkat.', tools: 'check_stock' },
      ...{ fallback_text: '', handover_text: '', resume_after_min: '30' },
    });
  expect(version).toBe('1');
  expect((await save('Dua')).location).toBe(path);
  const { text } = await browser.get(path);
  expect([text.match(/name="tools" value="\w+" checked/g), text.includes('value="30"')]).toEqual([
    ['name="tools" value="check_stock" checked'],
    true,
  ]);
  const stale = await save('Tiga');
  expect([stale.status, stale.text.includes('value="Tiga"'), stale.text.includes('Sekarang: Dua')]).toEqual([
    ...[409, true, true],
  ]);
  const fields = { name: 'Empat', prompt: 'Panjang.', fallback_text: '', handover_text: '', resume_after_min: '30' };
  expect((await browser.send(path, { ...browser.hidden('/logout'), action: 'save', ...fields })).status).toBe(422);
  expect((await act(path, { action: 'switch' })).location).toBe(path);
  expect((await browser.get(path)).text).toContain('Diam');
});

it('an agent that was chosen for no number says that it answers nobody, and then on which it answers', async () => {
  const { browser, storeId, path } = await made();
  expect((await browser.get(path)).text).toContain('jadi belum menjawab siapa pun');
  await world.commerce.database.query(
    `INSERT INTO device (store_id, id, instance_id, name, number, bot_agent_id, created_at, updated_at)
     VALUES ($1, gen_random_uuid(), $3, 'WA Toko', '6281100000001', $2, now(), now())`,
    [storeId, path.split('/').at(-1), `by-${storeId}`],
  );
  const { text } = await browser.get(path);
  expect([text.includes('Menjawab di WA Toko.'), text.includes('belum menjawab siapa pun')]).toEqual([true, false]);
});

it('it learns a text once, is refused what cannot be learned with all that was typed, and forgets', async () => {
  const { browser, act, path } = await made();
  await browser.get(path);
  const faq = { action: 'learn', title: 'Jam buka', kind: 'faq', text: 'Buka 09.00', url: '' };
  const answers = await Promise.all([1, 2].map(() => browser.post(path, faq)));
  expect(answers.map(({ location }) => location)).toEqual([path, path]);
  const { text } = await browser.get(path);
  expect(text.match(/name="action" value="forget\.[^"]+"/g)).toHaveLength(1);
  const nothing = await act(path, { ...faq, title: 'Kosong', text: '' });
  expect([nothing.status, nothing.text.includes('value="Kosong"'), alertOf(nothing.text)]).toEqual([
    ...[422, true, expect.stringContaining('Belum tersimpan')],
  ]);
  const action = /name="action" value="(forget\.[^"]+)"/.exec(text)?.[1] ?? '';
  expect((await act(path, { action })).location).toBe(path);
  expect((await browser.get(path)).text).toContain('Belum tahu apa-apa');
});

it('a file that is too large says so where it was chosen, and is not even sent where there is script', async () => {
  const { browser, path } = await made();
  const shown = await browser.get(path);
  expect(shown.text).toContain(`data-upload="${5 * 1024 * 1024}"`);
  const faq = { action: 'learn', title: 'Buku', kind: 'faq' };
  const { status, text } = await browser.attach(path, faq, Buffer.alloc(5 * 1024 * 1024 + 1), 'buku.pdf');
  expect([status, /id="learn-file-error">([^<]*)/.exec(text)?.[1]?.trim()]).toEqual([
    ...[413, expect.stringMatching(/^Berkas ini terlalu besar.*masih ada di halaman sebelumnya/)],
  ]);
});

it('it is tried by questions that go on under one address, and those of another agent are not to be had', async () => {
  const { browser, add, act, path } = await made();
  const first = await act(`${path}/test`, { question: 'Buka jam berapa?', prompt: 'Kamu ramah.' });
  expect([first.status, first.location?.startsWith(`${path}/test?session=`)]).toEqual([303, true]);
  const at = String(first.location);
  await browser.get(at);
  const second = await browser.post(`${path}/test`, { question: 'Besok?', prompt: 'Kamu singkat.' });
  expect(second.location).toBe(at);
  const { text } = await browser.get(at);
  expect([text.includes('Buka jam berapa?'), text.includes('Besok?'), text.match(/class="said-out"/g)?.length]).toEqual(
    [...[true, true, 2]],
  );
  const { location: other = '' } = await add({ name: 'Lain' });
  expect((await browser.get(`${other}/test?session=${at.split('=')[1]}`)).status).toBe(404);
});

it('while bot-engine hangs or is down the pages say so, and a form comes back as it was typed and counts once', async () => {
  const { browser, add, path, counted } = await made();
  world.bot.freeze();
  await browser.get('/agents');
  const slow = await browser.post('/agents', { name: 'Sabar', prompt: 'Pelan.' });
  const list = await browser.get('/agents');
  const one = await browser.get(path);
  world.bot.awaken();
  expect([slow.status, list.status, one.status]).toEqual([504, 200, 200]);
  expect([slow.text.includes('value="Sabar"'), list.text.includes('yang Anda ketik tidak hilang')]).toEqual([
    true,
    true,
  ]);
  await until(async () => (await add({ name: 'Sabar', prompt: 'Pelan.' })).status !== 504);
  expect(await counted()).toBeGreaterThan(0);
});
