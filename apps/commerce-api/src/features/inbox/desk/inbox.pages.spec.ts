// The inbox without script, with chat-backend as a process beside it: what is shown, said once, and lost never.
import { uuidv7 } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { startInboxWorld } from '../inbox.fixture';
import { agentIn, alertOf, at, bandOf, begunIn, newTeam, PHONE, textsIn, type Agent } from './desk.fixture';

const world = useRunning(startInboxWorld);

const idIn = (text: string): string => /name="message_id" value="([^"]+)"/.exec(text)?.[1] ?? '';

const begun = (text?: string) => begunIn(world, text);

it('the list shows who waits, and a chat what was said; the answer stands in it and is sent once however often it is sent', async () => {
  const { chat, rina, reply, sent } = await begun();
  const { text: list } = await rina.browser.get('/chats');
  expect(list).toContain(`href="${at(chat)}?view=waiting"`);
  expect(list).toContain('Ada ukuran 42?');
  const { text: before } = await rina.browser.get(at(chat));
  const message_id = idIn(before);
  const answers = await Promise.all([1, 2].map(() => reply('Ada, Kak', rina, { message_id })));
  expect(answers.map(({ status, location }) => [status, location])).toEqual(
    answers.map(() => [303, `${at(chat)}#composer`]),
  );
  expect(await sent()).toEqual(['Ada, Kak']);
  const { text } = await rina.browser.get(at(chat));
  expect([textsIn(text), bandOf(text)]).toEqual([['Ada ukuran 42?', 'Ada, Kak'], 'Anda menangani chat ini. Bot diam.']);
});

it('a member in no chat team reads that no chat comes to them, and not that all are answered', async () => {
  const { rina, shop } = await begun();
  expect((await rina.browser.get('/chats?view=mine')).text).toContain('Tidak ada chat yang Anda tangani sekarang.');
  const newcomer = await agentIn(world, shop, '9');
  await world.commerce.database.query(`UPDATE membership SET chat_team_ids = '{}' WHERE user_id = $1`, [
    newcomer.userId,
  ]);
  const { text } = await newcomer.browser.get('/chats');
  expect([text.includes('Anda belum masuk tim chat mana pun'), text.includes('sudah dibalas')]).toEqual([true, false]);
});

it('the chat of a number that was removed says that answers do not arrive', async () => {
  const { shop, chat, rina } = await begun();
  const isTold = async () => (await rina.browser.get(at(chat))).text.includes('sudah dihapus: balasan di sini tidak');
  expect(await isTold()).toBe(false);
  await world.commerce.database.query('DELETE FROM device WHERE store_id = $1', [shop.storeId]);
  expect(await isTold()).toBe(true);
});

it('what a customer answers by swiping stands above the answer, and not above what is said afterwards', async () => {
  const { shop, chat, rina } = await begun();
  await shop.writes(PHONE, 'Yang ini, Kak', 'SWIPED', { type: 'extendedtext', quoteMsg: 'Ada 41 dan 43' });
  await shop.writes(PHONE, 'Masih ada?');
  const { text } = await rina.browser.get(at(chat));
  const quotes = [
    ...text.matchAll(/<li id="m-([^"]+)"(?:(?!<\/li>).)*<blockquote[^>]*><span class="sr">[^<]*<\/span>([^<]*)</gs),
  ];
  expect(quotes.map(([, id, quote]) => [id, quote])).toEqual([['SWIPED', 'Ada 41 dan 43']]);
});

it('another text under the id of one that was sent is not taken for it: it comes back with an id of its own', async () => {
  const { chat, rina, reply, sent } = await begun();
  const message_id = idIn((await rina.browser.get(at(chat))).text);
  await reply('satu', rina, { message_id });
  const { status, text } = await reply('dua', rina, { message_id });
  expect([status, alertOf(text), await sent()]).toEqual([
    ...[409, 'Pesan sebelumnya sudah terkirim. Teks ini belum: kirim lagi bila memang perlu.'],
    ['satu'],
  ]);
  expect(text).toContain('>dua</textarea>');
  await reply('dua');
  expect([idIn(text) === message_id, await sent()]).toEqual([false, ['satu', 'dua']]);
});

it('while chat-backend is down or hangs an answer comes back as it was typed, and is sent once when it is there again', async () => {
  const { chat, rina, reply, sent } = await begun();
  const message_id = idIn((await rina.browser.get(at(chat))).text);
  world.chat.freeze();
  const slow = await reply('sabar ya', rina, { message_id });
  world.chat.awaken();
  await world.chat.kill();
  const down = await reply('sabar ya', rina, { message_id });
  const page = await rina.browser.get(at(chat));
  await world.chat.restart();
  expect([slow.status, down.status, page.status]).toEqual([504, 502, 200]);
  expect([idIn(slow.text), idIn(down.text)]).toEqual([message_id, message_id]);
  for (const { text } of [slow, down]) expect(text).toContain('>sabar ya</textarea>');
  expect(alertOf(down.text)).toContain('yang Anda ketik tidak hilang');
  // Calls are let through again a moment after it is back
  await until(async () => (await reply('sabar ya', rina, { message_id })).status === 303);
  expect(await sent()).toEqual(['sabar ya']);
});

it('of two who take a chat one has it, and the other is told who', async () => {
  const { shop, rina, act } = await begun();
  const budi = await agentIn(world, shop, '3');
  const answers = await Promise.all([act('take', rina), act('take', budi)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 409]);
  const [lost = ''] = answers.flatMap(({ status, text }) => (status === 409 ? text : []));
  const winner = answers[0]?.status === 303 ? rina.name : budi.name;
  expect(bandOf(lost)).toBe(`Ditangani ${winner}`);
  expect(alertOf(lost)).toContain('Rekan lain lebih cepat');
  expect(lost).toContain(`Kirim walau ${winner} menangani chat ini`);
});

it('a chat is set aside, given back, finished, opened again, read and moved; who sees all takes it over', async () => {
  const { shop, chat, rina, act } = await begun();
  await newTeam(world, shop, '4');
  const steps: string[] = [];
  for (const action of ['take', 'pending', 'reopen', 'close', 'reopen', 'read']) {
    const { status } = await act(action);
    const { text } = await rina.browser.get(at(chat));
    steps.push(`${action} ${status} ${bandOf(text)}`);
  }
  expect(steps).toEqual([
    ...['take 303 Anda menangani chat ini. Bot diam.', 'pending 303 Ditunda', 'reopen 303 Belum diambil'],
    ...['close 303 Selesai', 'reopen 303 Belum diambil', 'read 303 Belum diambil'],
  ]);
  await act('take');
  const boss = await agentIn(world, shop);
  expect((await act('takeover', boss)).status).toBe(303);
  expect((await act('move', boss, { team_id: '4' })).location).toBe('/chats');
  expect([(await rina.browser.get(at(chat))).status, (await rina.browser.get('/chats?view=all')).text]).toEqual([
    404,
    expect.not.stringContaining('Ada ukuran 42?'),
  ]);
});

it('help is asked for with a reason: who is asked finds the chat, reads and answers it, and the customer hears nothing of it', async () => {
  const { shop, chat, rina, reply, act, sent } = await begun();
  const reason = 'Minta potongan <b>20%</b>';
  const nobody = await act('escalate', rina, { reason });
  expect([nobody.status, (await act('escalate', rina, { reason: ' ' })).status]).toEqual([409, 422]);
  expect(nobody.text).toContain('Toko ini belum punya tim atasan. Pilih tim lain.');
  expect(nobody.text).toContain('>Minta potongan &lt;b>20%&lt;/b></textarea>');
  await newTeam(world, shop, '4');
  const vera = await agentIn(world, shop, '4');
  const listed = async (view: string) => (await vera.browser.get(`/chats?view=${view}`)).text.includes(at(chat));
  expect([(await vera.browser.get(at(chat))).status, await listed('help'), await listed('all')]).toEqual([
    404,
    false,
    false,
  ]);
  const asked = await act('escalate', rina, { reason, team_id: '4' });
  expect([asked.status, asked.location]).toEqual([303, at(chat)]);
  expect((await rina.browser.get(at(chat))).text).toContain('Bantuan selesai');
  expect([(await vera.browser.get(at(chat))).status, await listed('help')]).toEqual([200, true]);
  await reply('Boleh 10%, Kak', vera);
  expect((await act('help_done', vera)).status).toBe(303);
  expect([await listed('help'), (await rina.browser.get('/chats?view=help')).text.includes(at(chat))]).toEqual([
    false,
    false,
  ]);
  expect(await sent()).toEqual(['Boleh 10%, Kak']);
  // It is still its own team's
  expect([(await vera.browser.get(at(chat))).status, bandOf((await rina.browser.get(at(chat))).text)]).toEqual([
    ...[404, 'Belum diambil'],
  ]);
  expect((await act('take')).status).toBe(303);
});

it("another store's chat, another team's and what names none are not there; nothing is sent into them", async () => {
  const { shop, chat, rina, sent } = await begun();
  const other = await begun();
  const foreign = await agentIn(world, shop, '9');
  for (const [agent, id] of [
    [other.rina, chat.id],
    [foreign, chat.id],
    [rina, uuidv7()],
    [rina, 'x'],
  ] as const) {
    const page = await agent.browser.get(`/chats/${id}`);
    await agent.browser.get('/chats');
    const hidden = agent.browser.hidden('/logout');
    const fields = { ...hidden, text: 'x', message_id: uuidv7() };
    const post = await agent.browser.send(`/chats/${id}/messages`, fields);
    expect([page.status, post.status]).toEqual([404, 404]);
  }
  expect(await sent()).toEqual([]);
});

it('a search finds a chat by name, number and words; of another team it finds nothing', async () => {
  const { shop, chat, rina } = await begun('sepatu biru');
  const foreign = await agentIn(world, shop, '9');
  const found = async (agent: Agent, q: string) =>
    (await agent.browser.get(`/chats?q=${encodeURIComponent(q)}`)).text.includes(at(chat));
  for (const q of ['biru', '81234567890', 'Budi'])
    expect([q, await found(rina, q), await found(foreign, q)]).toEqual([q, true, false]);
});

it('hostile texts stay texts, and what is too long is said at the form', async () => {
  const hostile = `<img src=x onerror=alert(1)>\u202e"'&</p><script>alert(2)</script> javascript:alert(3)`;
  const { chat, rina, reply } = await begun(hostile);
  await reply(hostile);
  for (const path of ['/chats?view=all', at(chat)]) {
    const { text } = await rina.browser.get(path);
    expect(text).not.toMatch(/<img src|<script>alert/);
    expect(text).toContain('&lt;img src=x');
  }
  const long = await reply('x'.repeat(4097));
  expect([long.status, (await reply(' ')).status, (await reply('a', rina, { message_id: 'x' })).status]).toEqual([
    422, 422, 422,
  ]);
  expect(long.text).toContain('x'.repeat(4097));
});

it('older messages are a link away, and quick replies lead back with their text', async () => {
  const { shop, chat, rina } = await begun('pesan 1');
  for (let n = 2; n <= 65; n += 1) await shop.writes(PHONE, `pesan ${n}`);
  await shop.ask('POST', '/response-template', { shortcut: 'halo', body: 'Halo Kak, ada yang bisa dibantu?' });
  const texts: string[] = [];
  let path: string | undefined = at(chat);
  while (path !== undefined) {
    const { text } = await rina.browser.get(path);
    texts.unshift(...textsIn(text));
    path = /data-before="\d+"><a href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(texts).toEqual(Array.from({ length: 65 }, (_, n) => `pesan ${n + 1}`));
  const { text } = await rina.browser.get(`${at(chat)}?replies=true`);
  const [, insert = ''] = /href="([^"]+insert=[^"]+)"/.exec(text) ?? [];
  expect((await rina.browser.get(insert)).text).toContain('>Halo Kak, ada yang bisa dibantu?</textarea>');
});

it('a picture is sent with its caption, once; what is no file for messages is said at the form', async () => {
  const { shop, chat, rina, sent } = await begun();
  await rina.browser.get(at(chat));
  const hidden = rina.browser.hidden(`${at(chat)}/messages`);
  const upload = async (bytes: Buffer, name: string, fields: Record<string, string>) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    const headers = { cookie: rina.browser.cookies(), 'sec-fetch-site': 'same-origin' };
    return fetch(`${world.commerce.url}${at(chat)}/messages`, {
      method: 'POST',
      body: form,
      headers,
      redirect: 'manual',
    });
  };
  const picture = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(200)]);
  const answers = [1, 2].map(() => upload(picture, '<b>topi.png', { ...hidden, text: 'Topi biru' }));
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([303, 303]);
  const files = await world.commerce.database.query('SELECT 1 FROM media WHERE store_id = $1', [shop.storeId]);
  expect([(await sent()).length, files.length]).toEqual([1, 1]);
  const { text } = await rina.browser.get(at(chat));
  expect([textsIn(text), text.includes(`<img src="${world.chat.url}/media/`)]).toEqual([
    ['Ada ukuran 42?', 'Topi biru'],
    true,
  ]);
  const without = await upload(Buffer.alloc(0), '', { ...hidden, text: 'tanpa berkas', message_id: uuidv7() });
  expect([without.status, (await sent()).at(-1)]).toEqual([303, 'tanpa berkas']);
  const wrong = await upload(Buffer.from('<svg onload=alert(1)>'), 'x.svg', {
    ...hidden,
    text: 'x',
    message_id: uuidv7(),
  });
  expect([wrong.status, (await sent()).length]).toEqual([415, 2]);
  expect(await wrong.text()).toContain('Jenis berkas ini tidak diterima di sini. Pilih yang lain.');
});
