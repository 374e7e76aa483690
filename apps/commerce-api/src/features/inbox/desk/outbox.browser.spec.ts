// What is written in a browser while its line to the server is away, with chat-backend itself: each is sent once, in order, also while somebody presses.
import { environment } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import type { Browser, Route } from 'playwright-core';
import { launch } from '../../../web/chromium.fixture';
import { startInboxWorld } from '../inbox.fixture';
import { inboxBrowser } from './inbox.browser.fixture';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath)
  process.stderr.write('CHROMIUM_PATH is not set: nothing was written in a browser without a line.\n');

const world = useRunning(startInboxWorld);

const isLine = (route: Route): boolean => route.request().headers().accept === 'text/event-stream';

const inBrowser = (path: string): void => {
  const browser: Browser = useRunning(() => launch(path));
  const { begun } = inboxBrowser(world, () => browser);

  it('what is sent at the moment at which the one before is found to have arrived is sent', async () => {
    const { page, context, open, write, sent } = await begun();
    await open();
    const held: Route[] = [];
    // The line says nothing, and what the page asks instead is answered when we say so
    await page.route('**/chats/**', (route) => {
      if (isLine(route)) return undefined;
      const isAsked = route.request().resourceType() === 'fetch' && route.request().method() === 'GET';
      return isAsked ? void held.push(route) : route.continue();
    });
    await page.reload();
    await write('satu');
    await until(async () => (await sent()).length === 1);
    const [asked] = await until(
      () => held,
      ({ length }) => length > 0,
    );
    await page.locator('#composer textarea').fill('dua');
    const { x = 0, y = 0 } = (await page.locator('.composer-send').boundingBox()) ?? {};
    await page.mouse.move(x + 9, y + 9);
    await page.mouse.down();
    const answer = page.waitForResponse((one) => one.request() === asked?.request());
    await asked?.continue();
    await (await answer).finished();
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    await page.mouse.up();
    await until(async () => (await sent()).length === 2);
    expect(await sent()).toEqual(['satu', 'dua']);
    await context.close();
  });

  it('what waits behind one that was taken for lost is sent when that turns out to have arrived', async () => {
    const { page, context, open, write, sent } = await begun();
    await open();
    await page.route('**/chats/**', (route) => (isLine(route) ? undefined : route.continue()));
    await page.reload();
    // It arrives, and its sender hears of something else
    await page.route('**/messages', async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.fulfill({ status: 400, body: '' });
    });
    await write('satu');
    await page.locator('.bubble-failed', { hasText: 'satu' }).waitFor();
    await page.unroute('**/messages');
    await write('dua');
    expect(await sent()).toEqual(['satu']);
    await page.unroute('**/chats/**');
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await page.locator('.bubble[data-seq]', { hasText: 'dua' }).waitFor();
    expect(await sent()).toEqual(['satu', 'dua']);
    await context.close();
  });
};

if (executablePath) inBrowser(executablePath);

it('nobody has written to begin with', async () => expect(await world.sent((await world.store()).storeId)).toEqual([]));
