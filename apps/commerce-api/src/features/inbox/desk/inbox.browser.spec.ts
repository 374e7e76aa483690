// The inbox in a browser, with chat-backend itself: a burst, a kill in it, what is written meanwhile, and what is read.
import { environment } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import type { Browser } from 'playwright-core';
import { complaintsOf, launch } from '../../../web/chromium.fixture';
import { startInboxWorld } from '../inbox.fixture';
import { agentIn, newTeam } from './desk.fixture';
import { inboxBrowser, numbers, PHONE, PICTURE, textsOf, toldOf, waitingOf } from './inbox.browser.fixture';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath) process.stderr.write('CHROMIUM_PATH is not set: no chat was answered in a browser.\n');

const world = useRunning(startInboxWorld);

const inBrowser = (path: string): void => {
  const browser: Browser = useRunning(() => launch(path, '--use-fake-device-for-media-stream'));

  const { signIn, begun } = inboxBrowser(world, () => browser);

  it('a hundred messages at once, chat-backend killed and back: none is lost, doubled or misplaced, and what was written is sent once, in order', async () => {
    const { shop, page, open, write, sent } = await begun();
    await open();
    for (const text of numbers(1, 60)) await shop.writes(PHONE, text);
    await until(async () => (await textsOf(page)).at(-1) === 'pesan 59');
    await world.chat.kill();
    await write('satu <b>&amp;</b>');
    await write('dua');
    await page.locator('#offline').waitFor();
    expect(await waitingOf(page)).toBe(2);
    await world.chat.restart();
    for (const text of numbers(60, 101)) await shop.writes(PHONE, text);
    await until(async () => {
      const retry = page.locator('.bubble-failed [data-way=retry]').first();
      if (await retry.isVisible()) await retry.click();
      return (await sent()).length === 2 && (await waitingOf(page)) === 0;
    });
    expect(await sent()).toEqual(['satu <b>&amp;</b>', 'dua']);
    await until(async () => (await textsOf(page)).includes('pesan 100'));
    const shown = await textsOf(page);
    expect(shown.filter((text) => text.startsWith('pesan'))).toEqual(numbers(101 - shown.length + 2, 101));
    await page.reload();
    expect(await textsOf(page)).toEqual(shown.slice(-30));
    await page.context().close();
  });

  it('a message is read when it was before somebody for a second, and not by the list', async () => {
    const { shop, page, open } = await begun();
    await page.locator('.row-new').waitFor();
    const unread = async () =>
      (await shop.there('SELECT unread_count AS n FROM conversations WHERE store_id = $1'))[0] as { n: number };
    expect((await unread()).n).toBe(1);
    await open();
    await until(async () => (await unread()).n === 0);
    await page.context().close();
  });

  it('is worked by keys alone: down the list, into a chat, taken, answered, finished; keys are letters where one writes, and can be switched off', async () => {
    const { shop, page, sent } = await begun();
    await shop.writes('6281234567891', 'saya juga');
    await page.goto(`${world.commerce.url}/chats?view=all`);
    await page.locator('.row', { hasText: 'saya juga' }).waitFor();
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    await page.setViewportSize({ width: 1280, height: 800 });
    const here = (): string => new URL(page.url()).pathname;
    await press('j', 'j', 'j');
    expect(await page.evaluate('document.activeElement?.innerText.includes("pesan 0")')).toBe(true);
    await Promise.all([page.waitForURL(/\/chats\/./), press('Enter')]);
    const first = here();
    await Promise.all([page.waitForURL((url) => url.pathname !== first), press('k')]);
    await Promise.all([page.waitForURL((url) => url.pathname === first), press('j')]);
    await Promise.all([page.waitForEvent('load'), press('a')]);
    await page.locator('#band button[value=close]').first().waitFor();
    await press('r');
    await page.keyboard.type('ajar ke? jarak', { delay: 5 });
    expect([here(), await page.locator('#composer textarea').inputValue()]).toEqual([first, 'ajar ke? jarak']);
    await press('Enter');
    await until(async () => (await sent()).includes('ajar ke? jarak'));
    await Promise.all([page.waitForEvent('load'), press('Escape', 'e')]);
    // 3 is finished
    const [finished] = await shop.there(`SELECT status FROM conversations WHERE store_id = $1 AND nohp = '${PHONE}'`);
    expect(finished).toEqual({ status: 3 });
    await press('?');
    expect(await page.locator('#keys').getAttribute('open')).not.toBeNull();
    await page.locator('#keys [data-keys]').click();
    await press('k', 'Escape');
    await page.reload();
    await press('k', 'Escape');
    expect(here()).toBe(first);
    await page.locator('#keys summary').click();
    await page.locator('#keys [data-keys]').click();
    await Promise.all([page.waitForURL((url) => url.pathname === '/chats'), press('Escape')]);
    await page.context().close();
  });

  it('a voice is recorded and goes out as what WhatsApp plays, a picture is seen before and after it is sent, and what was chosen can be taken off', async () => {
    const { shop, page, context, open } = await begun();
    await open();
    const [record, chosen] = [page.locator('[data-voice]'), page.locator('#chosen')];
    await record.click();
    await chosen.filter({ hasText: 'Mikrofon tidak bisa dipakai' }).waitFor();
    await context.grantPermissions(['microphone']);
    await record.click();
    await chosen.filter({ hasText: /Merekam 0:0[1-9]/ }).waitFor();
    await record.click();
    await chosen.filter({ hasText: '.ogg' }).waitFor();
    const picture = { name: 'topi.png', mimeType: 'image/png', buffer: PICTURE };
    const complaints = complaintsOf(page);
    await page.locator('.composer-send').click();
    await page.locator('.bubble-sound').waitFor();
    await chosen.waitFor({ state: 'hidden' });
    const kinds = `SELECT type, media->>'mimetype' AS mime, media->>'use' AS use FROM messages WHERE store_id = $1 AND from_me`;
    expect(await shop.there(kinds)).toEqual([{ type: 'audio', mime: 'audio/ogg', use: 'voice' }]);
    await page.locator('#composer [name=file]').setInputFiles(picture);
    await chosen.filter({ hasText: 'topi.png' }).waitFor();
    await page.locator('[data-unchoose]').click();
    expect([await chosen.isVisible(), await page.locator('#composer [name=file]').inputValue()]).toEqual([false, '']);
    await page.locator('#composer [name=file]').setInputFiles(picture);
    await chosen.locator('img').waitFor();
    await page.locator('.composer-send').click();
    const shown = page.locator('.bubble-picture img');
    await shown.waitFor();
    await until(() => page.evaluate('document.querySelector(".bubble-picture img").naturalWidth > 0'));
    await shown.click();
    await page.locator('dialog.zoom[open] img').click();
    await page.locator('dialog.zoom').waitFor({ state: 'detached' });
    expect(await page.locator('.bubble-sound').count()).toBe(1);
    expect(complaints).toEqual([]);
    await context.close();
  });

  it('a large file is told how far it has come, can be stopped, stays with its words where it is refused, and is sent once', async () => {
    const { shop, page, context, open } = await begun();
    await open();
    const [chosen, send] = [page.locator('#chosen'), page.locator('.composer-send')];
    const [words, file] = [page.locator('#composer textarea'), page.locator('#composer [name=file]')];
    const large = Buffer.alloc(3_000_000, 'a');
    await file.setInputFiles({ name: 'besar.png', mimeType: 'image/png', buffer: Buffer.alloc(11 * 1024 * 1024) });
    await send.click();
    await chosen.filter({ hasText: 'terlalu besar' }).waitFor();
    await words.fill('Daftar harga');
    await file.setInputFiles({ name: 'harga.txt', mimeType: 'text/plain', buffer: large });
    // As slow as a phone in a lift: ten seconds for the file
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 300_000 },
    });
    await send.click();
    await chosen.filter({ hasText: /harga\.txt ?[1-9]\d? %/ }).waitFor();
    await page.locator('[data-unchoose]').click();
    await chosen.filter({ hasNotText: '%' }).waitFor();
    expect([await words.inputValue(), await words.isEditable()]).toEqual(['Daftar harga', true]);
    await file.setInputFiles({ name: 'program.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') });
    await send.click();
    await chosen.filter({ hasText: 'tidak diterima' }).waitFor();
    expect(await words.inputValue()).toBe('Daftar harga');
    await file.setInputFiles({ name: 'topi.png', mimeType: 'image/png', buffer: PICTURE });
    await send.dblclick();
    await page.locator('.bubble', { hasText: 'Daftar harga' }).waitFor();
    await words.fill('Silakan');
    await send.click();
    await page.locator('.bubble[data-seq]', { hasText: 'Silakan' }).waitFor();
    const types = await shop.there('SELECT type FROM messages WHERE store_id = $1 AND from_me ORDER BY seq');
    expect(types).toEqual([{ type: 'image' }, { type: 'chat' }]);
    expect([await chosen.isVisible(), await words.inputValue()]).toEqual([false, '']);
    await context.close();
  });

  it('a file whose answer was lost is not sent twice, and what is written or chosen instead is another message', async () => {
    const { shop, page, context, open } = await begun();
    await open();
    const [chosen, send] = [page.locator('#chosen'), page.locator('.composer-send')];
    const [words, file] = [page.locator('#composer textarea'), page.locator('#composer [name=file]')];
    const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: PICTURE });
    /** It arrives, and its sender does not hear of it. */
    const unheard = async () => {
      await page.route('**/messages', async (route) => {
        await route.fetch({ maxRedirects: 0 });
        await route.abort('connectionreset');
      });
      await send.click();
      await chosen.filter({ hasText: 'belum terkirim' }).waitFor();
      await page.unroute('**/messages');
    };
    await words.fill('Topi biru');
    await file.setInputFiles(picture('biru.png'));
    await unheard();
    await send.click();
    await chosen.waitFor({ state: 'hidden' });
    await words.fill('Topi merah');
    await file.setInputFiles(picture('merah.png'));
    await unheard();
    await file.setInputFiles(picture('hijau.png'));
    await words.fill('Topi hijau');
    await unheard();
    await page.locator('[data-unchoose]').click();
    await words.fill('Mau yang mana?');
    await send.click();
    await page.locator('.bubble[data-seq]', { hasText: 'Mau yang mana?' }).waitFor();
    const bubbles = await page.locator('.bubble[data-seq]').allInnerTexts();
    const said = ['Topi biru', 'Topi merah', 'Topi hijau', 'Mau yang mana?'];
    expect(said.map((text) => bubbles.filter((bubble) => bubble.includes(text)).length)).toEqual([1, 1, 1, 1]);
    expect(await shop.there('SELECT 1 FROM messages WHERE store_id = $1 AND from_me')).toHaveLength(4);
    await context.close();
  });

  it('what is written goes along with a chat that moves to another of the teams of its reader', async () => {
    const { shop, chat, page, context, open } = await begun([]);
    await newTeam(world, shop, '4');
    const boss = await agentIn(world, shop);
    await open();
    const [words, chosen] = [page.locator('#composer textarea'), page.locator('#chosen')];
    const before = new URL(page.url()).pathname;
    const drop = `(() => {
      const carried = new DataTransfer();
      for (const name of ['satu', 'dua']) carried.items.add(new File(['%PDF-1.4 '.padEnd(2000)], name + '.pdf', { type: 'application/pdf' }));
      document.querySelector('.inbox').dispatchEvent(new DragEvent('drop', { dataTransfer: carried, bubbles: true }));
    })()`;
    await page.evaluate(drop);
    await chosen.filter({ hasText: 'satu.pdf' }).waitFor();
    await boss.browser.get(`/chats/${chat.id}`);
    await boss.browser.post(`/chats/${chat.id}/action`, { action: 'move', team_id: '4' });
    await shop.writes(PHONE, 'Kak?');
    await page.locator('.bubble', { hasText: 'Kak?' }).waitFor();
    // A file goes along with nothing: it is sent from here first
    expect([new URL(page.url()).pathname, await chosen.isVisible()]).toEqual([before, true]);
    await page.locator('.composer-send').click();
    await chosen.waitFor({ state: 'hidden' });
    await words.fill('Boleh 10%, Kak');
    await shop.writes(PHONE, 'Halo?');
    // It may set out twice, and give up the first
    await until(() => new URL(page.url()).pathname !== before);
    await until(
      () => words.inputValue(),
      (written) => written === 'Boleh 10%, Kak',
    );
    const types = await shop.there('SELECT type FROM messages WHERE store_id = $1 AND from_me');
    expect(types).toEqual([{ type: 'document' }]);
    await context.close();
  });

  it('what somebody writes stays before them when the chat goes to another team, and nothing of it is sent', async () => {
    const { shop, page, open, sent } = await begun();
    await open();
    await page.locator('#composer textarea').fill('Boleh 10%, Kak');
    const vip = `INSERT INTO teams (store_id, id, nama) VALUES ($1, '4', 'VIP')`;
    await shop.there(vip);
    const boss = await agentIn(world, shop);
    await boss.browser.get(new URL(page.url()).pathname);
    await boss.browser.post(`${new URL(page.url()).pathname}/action`, { action: 'move', team_id: '4' });
    await page.locator('#shut').waitFor();
    expect(await page.locator('#composer textarea').inputValue()).toBe('Boleh 10%, Kak');
    await page.locator('.composer-send').click();
    await page.locator('.bubble-failed', { hasText: 'belum terkirim' }).waitFor();
    expect(await sent()).toEqual([]);
    await page.locator('#shut a').click();
    await page.getByRole('heading', { name: 'Halaman tidak ditemukan' }).waitFor();
    await page.context().close();
  });

  it('what waits when its writer goes to another chat is told in the list, what was on its way arrives, and each is sent once', async () => {
    const { page, context, open, write, sent } = await begun();
    await open();
    const chat = new URL(page.url()).pathname;
    const network = await context.newCDPSession(page);
    await network.send('Network.enable');
    const slow = { offline: false, latency: 1_500, downloadThroughput: -1, uploadThroughput: -1 };
    await network.send('Network.emulateNetworkConditions', slow);
    for (const text of ['satu', 'dua', 'tiga']) await write(text);
    await Promise.all([page.waitForURL((url) => url.pathname === '/chats'), page.goto(`${world.commerce.url}/chats`)]);
    await network.send('Network.emulateNetworkConditions', { ...slow, latency: 0 });
    await until(async () => (await sent()).length === 1);
    await Promise.all([page.waitForURL((url) => url.pathname === chat), page.locator('#unsent').click()]);
    for (const text of ['dua', 'tiga']) {
      await page.locator('.bubble-failed', { hasText: text }).locator('[data-way=retry]').click();
      await page.locator('.bubble[data-seq]', { hasText: text }).waitFor();
    }
    expect(await sent()).toEqual(['satu', 'dua', 'tiga']);
    await page.goto(`${world.commerce.url}/chats`);
    expect(await page.locator('#unsent').isVisible()).toBe(false);
    await context.close();
  });

  it('whoever signs in again in another tab goes on in the one they write in, also on the page of a refusal', async () => {
    const { shop, chat, email, page, context, open, sent } = await begun();
    await open();
    await page.locator('#composer textarea').fill('Boleh, Kak');
    await page.route('**/chats/**', (route) =>
      route.request().headers().accept === 'text/event-stream' ? route.abort() : route.continue(),
    );
    await page.reload();
    const boss = await agentIn(world, shop);
    await boss.browser.get(`/chats/${chat.id}`);
    await boss.browser.post(`/chats/${chat.id}/action`, { action: 'take' });
    await page.locator('#band button[value=take]').click();
    await page.locator('.talk > .alert.bad').waitFor();
    // Long enough for it to ask how things are
    await page.waitForResponse((answer) => answer.url().includes(`${chat.id}?`) && answer.ok());
    expect(await page.locator('#composer textarea').inputValue()).toBe('Boleh, Kak');
    await page.unroute('**/chats/**');
    const before = await page.locator('#composer [name=_csrf]').inputValue();
    await context.clearCookies();
    await signIn(await context.newPage(), email);
    await until(async () => (await page.locator('#composer [name=_csrf]').inputValue()) !== before);
    await page.locator('[name=anyway]').check();
    await page.locator('.composer-send').click();
    await page.locator('.bubble[data-seq]', { hasText: 'Boleh, Kak' }).waitFor();
    expect(await sent()).toEqual(['Boleh, Kak']);
    await context.close();
  });

  it('more than a message holds is not sent, says so, and nothing of it is cut off', async () => {
    const { page, open, write, sent } = await begun();
    await open();
    await page.locator('#composer textarea').focus();
    await page.keyboard.insertText('x'.repeat(5_000));
    await page.locator('.composer-send').click();
    const area = page.locator('#composer textarea');
    const told = () => page.evaluate<string>(`document.querySelector('#composer textarea').validationMessage`);
    expect([(await area.inputValue()).length, await told()]).toEqual([
      ...[5_000, 'Pesan ini lebih dari 4.096 huruf. Kirim dalam beberapa bagian.'],
    ]);
    await write('x'.repeat(4_096));
    await page.locator('.bubble[data-seq]', { hasText: 'xxx' }).waitFor();
    expect((await sent()).map(({ length }) => length)).toEqual([4_096]);
    await page.context().close();
  });

  it('whoever signs in again while they are signed in sends on from the tab before, and the next one at the screen does not', async () => {
    const { shop, page, context, email, open, write, sent } = await begun();
    /** What the browser had is forgotten there, and good still. */
    const enter = async (who: string) => {
      await context.clearCookies();
      await signIn(await context.newPage(), who);
    };
    await open();
    /** The page is told of it, by whoever's stream it has. */
    const told = async (text: string) => {
      await shop.writes(PHONE, text);
      await page.locator('.bubble[data-seq]', { hasText: text }).waitFor();
    };
    await told('pesan 1');
    await enter(email);
    // What happens meanwhile is told by the stream of the sign-in before
    const [refused] = await Promise.all([
      page.waitForResponse((answer) => answer.status() === 403 && answer.url().endsWith('/messages')),
      write('Boleh, Kak'),
    ]);
    await refused.finished();
    await shop.writes(PHONE, 'masih ada?');
    await page.locator('.bubble[data-seq]', { hasText: 'Boleh, Kak' }).waitFor();
    await enter(email);
    const [send, chosen] = [page.locator('.composer-send'), page.locator('#chosen')];
    await page.locator('[name=file]').setInputFiles({ name: 'topi.png', mimeType: 'image/png', buffer: PICTURE });
    await send.click();
    await chosen.filter({ hasNotText: 'topi.png' }).filter({ hasText: /\w/ }).waitFor();
    await page.locator('#composer [name=file]:enabled').waitFor();
    await send.click();
    await page.locator('.bubble-picture').waitFor();
    await enter((await agentIn(world, shop)).email);
    // The line comes back as theirs
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await told('halo?');
    await write('dari yang lain');
    await page.locator('.bubble-failed', { hasText: 'dari yang lain' }).waitFor();
    expect((await sent()).filter(Boolean)).toEqual(['Boleh, Kak']);
    await context.close();
  });

  it('the row of a chat that somebody writes into comes to its place in the list, and the focus stays', async () => {
    const { shop, page } = await begun();
    await page.goto(`${world.commerce.url}/chats?view=all`);
    await page.locator('.row a').first().focus();
    await shop.writes('6281234567891', 'saya juga');
    await page.locator('.row', { hasText: 'saya juga' }).waitFor();
    expect(await page.locator('.row').count()).toBe(2);
    expect(await page.evaluate('document.activeElement?.closest(".row") !== null')).toBe(true);
    await page.context().close();
  });

  it('a chat that is written into while somebody presses on it opens', async () => {
    const { shop, page } = await begun();
    await page.locator('.row a').hover();
    // However long it takes here, it is not the longest press
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.mouse.down();
    const told = await toldOf(page, 'Kak?');
    await Promise.all([told.come, shop.writes(PHONE, 'Kak?')]);
    await page.mouse.up();
    await page.waitForURL(/\/chats\/./);
    await page.context().close();
  });
};

if (executablePath) inBrowser(executablePath);

it('nobody has answered to begin with', async () =>
  expect(await world.sent((await world.store()).storeId)).toEqual([]));
