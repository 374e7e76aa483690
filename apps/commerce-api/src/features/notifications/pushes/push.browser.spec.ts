// The back office as an application of a phone: installed, told, led to the chat, without network. Chromium has no push service of its own here, so
// the browser's address is one of the sandbox, and what that decrypts is handed to the worker as the browser would.
import { environment } from '@platform/runtime';
import { until, useRunning } from '@platform/testing';
import { startPushSandbox, type PushSandbox, type SandboxBrowser } from '@platform/testing/push';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { startCommerce, type Commerce } from '../../../commerce.fixture';
import { newPerson } from '../../../web/browser.fixture';
import { complaintsOf, launch, signInBy } from '../../../web/chromium.fixture';
import { browsersOf, newsOf, pushSettingsFor, pushShop } from './push.fixture';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath) process.stderr.write('CHROMIUM_PATH is not set: nobody was told in a browser.\n');

const sandbox: PushSandbox = useRunning(async () => {
  const started = await startPushSandbox({ port: 0 });
  return Object.assign(started, { stop: () => started.close() });
});
const commerce: Commerce = useRunning(() => startCommerce(pushSettingsFor(sandbox)));
const SIZE = { width: 390, height: 844 };

/** The browser's own push service gives this address, once it is asked. */
const standIn = ({ endpoint, keys }: SandboxBrowser): string => `
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0)).buffer;
  const keys = ${JSON.stringify(keys)};
  const given = { endpoint: ${JSON.stringify(endpoint)}, getKey: (name) => bytes(keys[name]), unsubscribe: async () => true,
    get options() { return { applicationServerKey: bytes(localStorage.getItem('stand-in')) }; } };
  PushManager.prototype.getSubscription = async () => (localStorage.getItem('stand-in') ? given : null);
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => (localStorage.setItem('stand-in', applicationServerKey), given);`;

interface Worker {
  readonly cdp: CDPSession;
  readonly registrationId: string;
}

/** By which a worker is told as its browser would tell it. */
const workerOf = async (context: BrowserContext, page: Page): Promise<Worker> => {
  // Whoever attaches to one that is about to start may keep it waiting
  await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
  const cdp = await context.newCDPSession(page);
  const found = new Promise<string>((resolve) =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    }),
  );
  await cdp.send('ServiceWorker.enable');
  return { cdp, registrationId: await found };
};

const deliver = ({ cdp, registrationId }: Worker, news: object | string): Promise<unknown> =>
  cdp.send('ServiceWorker.deliverPushMessage', {
    ...{ origin: commerce.url, registrationId },
    data: typeof news === 'string' ? news : JSON.stringify(news),
  });

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly data: string;
  readonly renotify: boolean;
}
const shownIn = (page: Page): Promise<Shown[]> =>
  page.evaluate<Shown[]>(`navigator.serviceWorker.ready.then(async (worker) => (await worker.getNotifications())
    .map(({ title, body, tag, data, renotify }) => ({ title, body, tag, data, renotify })))`);

/** So long a notification has to be seen, before it is told again. */
const AGAIN_MS = 2_000;

/**
 * What is shown once it holds. Chromium forgets a notification that is being shown at the very moment in which somebody asks for all that are
 * shown (3 of 100 here, more on a busy machine): it is told again, and a late one must not matter.
 */
const shownOnce = (
  page: Page,
  hand: (nth: number) => Promise<unknown>,
  holds: (shown: readonly Shown[]) => boolean,
): Promise<Shown[]> => {
  let [nth, due] = [0, 0];
  return until(async () => {
    if (Date.now() >= due) {
      await hand(nth);
      [nth, due] = [nth + 1, Date.now() + AGAIN_MS];
    }
    return shownIn(page);
  }, holds);
};

const inBrowser = (path: string): void => {
  const browser: Browser = useRunning(() => launch(path));

  it('a phone installs it, is told of a customer, is led to the chat, and is told so when there is no network', async () => {
    const { member, storeId, tellChat } = await pushShop({ commerce, sandbox });
    await member();
    const person = await newPerson(commerce, 'admin', storeId);
    const own = sandbox.browser();
    const context = await browser.newContext({ locale: 'id-ID', viewport: SIZE });
    await context.grantPermissions(['notifications'], { origin: commerce.url });
    await context.addInitScript(standIn(own));
    const page = await signInBy(context, commerce.url, person.email);
    const complaints = complaintsOf(page);

    await page.goto(`${commerce.url}/profile`);
    const worker = await workerOf(context, page);
    const manifest = await worker.cdp.send('Page.getAppManifest');
    expect([manifest.errors, manifest.url]).toEqual([[], `${commerce.url}/assets/app.webmanifest`]);
    const { installabilityErrors } = await worker.cdp.send('Page.getInstallabilityErrors');
    // A context of a test is a private window
    expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);

    await page.getByRole('button', { name: 'Beri tahu saya di HP ini' }).click();
    await page.getByText('Perangkat ini sudah diberi tahu.').waitFor();
    // The page says so, and then asks for itself anew
    await page.locator('.found li').first().waitFor();
    expect(await page.locator('.found li').count()).toBe(1);

    await tellChat([person.userId]);
    const [news] = await until(
      () => newsOf(sandbox, own),
      ({ length }) => length === 1,
    );
    // Each try under a tag of its own: of none but the first of a tag is it known that it is heard
    const tries = ({ tag }: Shown): boolean => tag.startsWith(news?.tag ?? '-');
    const first = (nth: number) => deliver(worker, { ...news, tag: `${news?.tag}${'+'.repeat(nth)}` });
    const [heard] = (await shownOnce(page, first, (all) => all.some(tries))).filter(tries);
    const { tag = '' } = heard ?? {};
    const shown = { title: 'Budi', body: 'Pesan baru menunggu balasan', tag, data: commerce.url + (news?.url ?? '') };
    expect(heard).toEqual({ ...shown, renotify: true });
    // The next one takes its place, and is not heard again so soon
    const ofTag = (all: readonly Shown[]) => all.filter((one) => one.tag === tag);
    const next = () => deliver(worker, { ...news, tag });
    const after = await shownOnce(page, next, (all) => ofTag(all).some(({ renotify }) => !renotify));
    expect(ofTag(after)).toEqual([{ ...shown, renotify: false }]);

    // There is no chat-backend here: the chat itself says so
    expect(complaints).toEqual([]);
    const [served] = context.serviceWorkers();
    await served?.evaluate(`self.registration.getNotifications({ tag: '${tag}' }).then(([notification]) =>
      self.dispatchEvent(new NotificationEvent('notificationclick', { notification })))`);
    await page.waitForURL(`${commerce.url}${news?.url ?? ''}`);
    await until(async () => ofTag(await shownIn(page)).length === 0);
    // Whoever looks at the inbox is not told of a chat
    const seen = async () => {
      await deliver(worker, { ...news, tag: 'seen' });
      await deliver(worker, { ...news, title: 'Kabar', url: '/wallet', tag: 'news' });
    };
    const tagsOf = (all: readonly Shown[]) => all.map((one) => one.tag);
    const told = await shownOnce(page, seen, (all) => tagsOf(all).includes('news'));
    expect(tagsOf(told)).not.toContain('seen');
    // Nor led anywhere but to our own pages, whatever a message says
    const hostile = async () => {
      await deliver(worker, { ...news, url: 'https://evil.example/', tag: 'evil' });
      await deliver(worker, 'no JSON');
    };
    const all = await shownOnce(page, hostile, (each) => ['evil', ''].every((one) => tagsOf(each).includes(one)));
    const leads = new Set(all.filter((one) => !tries(one)).map(({ data }) => data));
    expect(leads).toEqual(new Set(['/wallet', '/dashboard'].map((path) => commerce.url + path)));

    await context.setOffline(true);
    await page.goto(`${commerce.url}/orders`);
    expect([await page.title(), await page.locator('h1').innerText()]).toEqual(Array(2).fill('Tidak ada koneksi'));
    expect(await page.evaluate('caches.keys()')).toEqual([]);
    await context.setOffline(false);
    await Promise.all([page.waitForURL('**/orders'), page.getByRole('link', { name: 'Coba lagi' }).click()]);
    await page.getByRole('heading', { name: 'Pesanan', level: 1 }).waitFor();
    await context.close();
  });

  it('whoever has to sign in first is told that it did not work, and nobody is kept', async () => {
    const person = await newPerson(commerce);
    const context = await browser.newContext({ locale: 'id-ID', viewport: SIZE });
    await context.grantPermissions(['notifications'], { origin: commerce.url });
    await context.addInitScript(standIn(sandbox.browser()));
    const page = await signInBy(context, commerce.url, person.email);
    await page.goto(`${commerce.url}/profile`);
    const button = page.getByRole('button', { name: 'Beri tahu saya di HP ini' });
    await button.waitFor();
    const cookies = await context.cookies();
    await context.clearCookies();
    await button.click();
    await page.getByText('Belum berhasil.').waitFor();
    expect(await browsersOf(commerce, person.storeId)).toEqual([]);
    await context.addCookies(cookies);
    await button.click();
    await page.getByText('Perangkat ini sudah diberi tahu.').waitFor();
    expect(await browsersOf(commerce, person.storeId)).toHaveLength(1);
    await context.close();
  });

  it('no page of buyers, and none before the sign-in, has a manifest or registers a worker', async () => {
    const { storeId } = await newPerson(commerce);
    const context = await browser.newContext({ viewport: SIZE });
    const page = await context.newPage();
    for (const address of ['/', '/login', `/s/${storeId}`, `/s/${storeId}/cart`, '/nowhere']) {
      await page.goto(commerce.url + address);
      expect([address, await page.locator('link[rel=manifest]').count()]).toEqual([address, 0]);
      expect(await page.evaluate('navigator.serviceWorker.getRegistrations().then((all) => all.length)')).toBe(0);
    }
    await context.close();
  });
};

if (executablePath) inBrowser(executablePath);

it('the worker may serve all pages, and is asked for anew each time, as the manifest is', async () => {
  const headersOf = async (name: string) => {
    const { status, headers } = await fetch(`${commerce.url}/assets/${name}`);
    return [status, ...['service-worker-allowed', 'cache-control', 'content-type'].map((each) => headers.get(each))];
  };
  expect([await headersOf('worker.js'), await headersOf('app.webmanifest')]).toEqual([
    [200, '/', 'no-cache', 'text/javascript; charset=utf-8'],
    [200, null, 'no-cache', 'application/manifest+json; charset=utf-8'],
  ]);
});
