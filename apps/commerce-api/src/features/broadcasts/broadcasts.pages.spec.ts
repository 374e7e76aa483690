// Broadcasts in a browser without script, with chat-backend as a process beside it: nothing goes out that was not looked at.
import { until, useRunning } from '@platform/testing';
import { signedIn } from '../../web/browser.fixture';
import { openEvents } from '../../web/live/live.fixture';
import { startBroadcastsWorld } from './broadcasts.fixture';

const world = useRunning(() => startBroadcastsWorld());

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const alertOf = (text: string): string => /class="alert bad"[^>]*>(?:<[^>]*>)*([^<]+)/.exec(text)?.[1] ?? '';

const begun = async (people = 3) => {
  const shop = await world.store();
  await shop.people('62812', people, 1);
  const person = await signedIn(world.commerce, 'admin', shop.storeId);
  const { browser } = person;
  const fields = {
    ...{ name: 'Promo', device_id: shop.device_id, 'audience[all]': 'true', 'message[text]': 'Halo {{name}}' },
    ...{ 'message[template_id]': '', schedule_at: '', rate_per_minute: '', city: '' },
    ...{ 'audience[segment][city]': '', 'audience[segment][min_orders]': '' },
    ...{ 'quiet_hours[from]': '', 'quiet_hours[to]': '' },
  };
  const { city: _city, ...usual } = fields;
  const save = async (more: Record<string, string> = {}) => {
    await browser.get('/broadcasts/create');
    return browser.post('/broadcasts', { ...usual, ...more });
  };
  const act = async (path: string, action: string) => {
    await browser.get(path);
    return browser.send(`${path}/action`, { ...browser.hidden('/logout'), action });
  };
  const kept = () => world.chat.database.query('SELECT 1 FROM broadcasts WHERE store_id = $1', [shop.storeId]);
  return { shop, browser, save, act, usual, kept };
};

it('who would get it is counted while it is written, and nothing is kept; the preview says what the first of them reads', async () => {
  const { save, kept } = await begun();
  const { status, text } = await save({ look: '1' });
  expect([status, await kept()]).toEqual([200, []]);
  expect(text).toContain('3 orang akan mendapatnya.');
  expect(text).toContain('1 diblokir, 1 tidak mau dikirimi pesan');
  expect(text).toMatch(/data-mirrors="message-text">Halo Pelanggan \d</);
  expect(text).toContain('>Halo {{name}}</textarea>');
  expect((await save({ look: '1', 'message[template_id]': 'a\u0000b' })).status).toBe(200);
});

it('a draft is saved once however often it is sent, and its report has the number on the button that sends it', async () => {
  const { browser, usual, kept } = await begun();
  await browser.get('/broadcasts/create');
  const answers = await Promise.all([1, 2].map(() => browser.post('/broadcasts', usual)));
  const [{ location = '' } = {}] = answers;
  expect([answers.map((answer) => answer.location), (await kept()).length]).toEqual([[location, location], 1]);
  const { text } = await browser.get(location);
  expect([text.includes('Kirim ke 3 orang'), text.includes('Semua pelanggan'), text.includes('Draf')]).toEqual([
    ...[true, true, true],
  ]);
});

it('a file is kept once however often its form is sent, so that the draft is the same; another one is another', async () => {
  const { shop, browser, usual } = await begun();
  await browser.get('/broadcasts/create');
  const fields = { ...browser.hidden('/broadcasts'), ...usual };
  const send = (file = PNG) => browser.attach('/broadcasts', fields, file, 'promo.png');
  const answers = [...(await Promise.all([send(), send()])), await send()];
  // Nobody can fetch the file from where the shop would show it
  expect(answers.map(({ status, text }) => [status, text.includes('href="#message-media_id"')])).toEqual([
    ...[1, 2, 3].map(() => [422, true]),
  ]);
  const files = () => world.commerce.database.query('SELECT 1 FROM media WHERE store_id = $1', [shop.storeId]);
  expect((await files()).length).toBe(1);
  await send(Buffer.concat([PNG, PNG]));
  expect((await files()).length).toBe(2);
});

it('what is wrong stands at its input, in words, with everything that was typed', async () => {
  const { save } = await begun();
  const nobody = await save({ 'audience[all]': '', 'message[text]': '' });
  expect([nobody.status, nobody.text.includes('Isi pesan harus diisi.')]).toEqual([422, true]);
  const noOne = await save({ 'audience[all]': '' });
  expect([noOne.status, noOne.text.includes('isi paling sedikit satu pilihan')]).toEqual([422, true]);
  const late = await save({ schedule_at: '2020-01-01T08:00', 'quiet_hours[from]': '21:00' });
  expect([late.status, late.text.includes('value="2020-01-01T08:00"'), late.text.includes('value="21:00"')]).toEqual([
    ...[422, true, true],
  ]);
  const nonsense = await save({ schedule_at: '2030-13-41T08:00', 'audience[segment][min_orders]': 'banyak' });
  expect(nonsense.status).toBe(422);
});

it('a file that is too large says so where it was chosen, and is not even sent where there is script', async () => {
  const { browser, usual, kept } = await begun();
  const shown = await browser.get('/broadcasts/create');
  for (const part of [`data-upload="${10 * 1024 * 1024}"`, 'src="/assets/market.']) expect(shown.text).toContain(part);
  const { status, text } = await browser.attach('/broadcasts', usual, Buffer.alloc(10 * 1024 * 1024 + 1), 'x.png');
  expect([status, /id="file-error">([^<]*)/.exec(text)?.[1]?.trim(), await kept()]).toEqual([
    ...[413, expect.stringMatching(/^Berkas ini terlalu besar.*masih ada di halaman sebelumnya/), []],
  ]);
});

it('a time is that of the clocks of the shop, and a copy of a broadcast begins with all that it has', async () => {
  const { browser, save } = await begun();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const { location = '' } = await save({ schedule_at: `${tomorrow}T09:30`, rate_per_minute: '7' });
  const { text } = await browser.get(location);
  expect(text).toContain(`dateTime="${tomorrow}T02:30:00.000Z"`.replace('dateTime', 'datetime'));
  const copy = await browser.get(`/broadcasts/create?from=${location.split('/').at(-1)}`);
  for (const value of ['value="Promo"', 'value="7"', `value="${tomorrow}T09:30"`, '>Halo {{name}}</textarea>'])
    expect(copy.text).toContain(value);
});

it('it is sent, paused, goes on and is cancelled, and the open report is told how far it has come', async () => {
  const { browser, save, act } = await begun(500);
  const { location = '' } = await save({ rate_per_minute: '1' });
  const worker = await world.worker();
  const events = await openEvents(world.commerce.url, location, browser.cookies());
  expect((await act(location, 'send')).location).toBe(location);
  expect((await act(location, 'send')).status).toBe(409);
  await until(() => /Sedang dikirim|Selesai/.test(events.html()));
  await events.close();
  expect((await act(location, 'pause')).location).toBe(location);
  expect((await browser.get(location)).text).toContain('Dijeda');
  expect((await act(location, 'resume')).location).toBe(location);
  expect((await act(location, 'cancel')).location).toBe(location);
  const { status, text } = await act(location, 'pause');
  expect([status, alertOf(text)]).toEqual([409, expect.stringContaining('Keadaan siaran ini sudah berubah')]);
  expect(text).toContain('Dibatalkan');
  await worker.stop('SIGKILL');
});

it('while chat-backend is away the pages say so, and a draft comes back as it was typed and is saved once', async () => {
  const { browser, save, usual, kept } = await begun();
  await world.chat.kill();
  const { status, text } = await save({ name: 'Nanti saja' });
  const list = await browser.get('/broadcasts');
  await world.chat.restart();
  expect([status, alertOf(text)]).toEqual([502, expect.stringContaining('yang Anda ketik tidak hilang')]);
  expect([text.includes('value="Nanti saja"'), list.status, list.text.includes('class="alert info"')]).toEqual([
    ...[true, 200, true],
  ]);
  await browser.get('/broadcasts/create');
  await until(async () => (await browser.post('/broadcasts', usual)).status === 303);
  expect((await kept()).length).toBe(1);
});

it('who sends broadcasts and does not see everybody’s customers sees how many got it, and not who', async () => {
  const { shop, save } = await begun();
  const { location = '' } = await save();
  const { browser } = await signedIn(world.commerce, 'advertiser', shop.storeId);
  const { status, text } = await browser.get(location);
  expect([
    status,
    text.includes('Per penerima'),
    text.includes('Kirim ke'),
    text.includes('/broadcasts/create'),
  ]).toEqual([...[200, false, false, false]]);
  expect((await browser.get('/broadcasts/create')).status).toBe(403);
  await browser.get(location);
  const sent = await browser.send(`${location}/action`, { ...browser.hidden('/logout'), action: 'send' });
  expect([sent.status, sent.text.includes('chat.all')]).toEqual([403, true]);
});
