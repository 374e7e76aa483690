// Every page in a real browser: what it looks like at each width and in each scheme, by measure, and whether its policy holds.
import { environment } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import type { Browser, Page } from 'playwright-core';
import { startFakeBot } from '../clients/bot.fake';
import { startFakeHandled } from '../clients/chat.handled.fake';
import { startCommerce } from '../commerce.fixture';
import { barriersOf, complaintsOf, launch, misfitsOf, signInBy } from './chromium.fixture';
import { addressIn, filledShop, isFile, pageRoutes } from './pages.fixture';
import { contentPolicy } from './policy';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath) process.stderr.write('CHROMIUM_PATH is not set: no page was tried in a browser.\n');

const chat = useRunning(() => startFakeHandled());
const bot = useRunning(startFakeBot);
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url, BOT_URL: bot.url }));
const WIDTHS = [320, 390, 900, 1440];
const HEIGHT = 850;
const WHOLE = 4_000;
const SCHEMES = ['light', 'dark'] as const;
/** AXE=all: everything at every width in every language, which takes twice as long. */
const isAll = environment.AXE === 'all';
/** Words are longer in one than in the other. Where axe-core looks: at other widths it finds what it finds at these two, each in a language. */
const LANGUAGES = [
  ['id', 'id-ID', isAll ? [390, 1440] : [390]],
  ['en', 'en-GB', isAll ? [390, 1440] : [1440]],
] as const;

const shown = pageRoutes.filter((route) => route.endpoint.method === 'get' && !isFile(route));
const pathsOf = (...labels: string[]): string[] =>
  shown.filter(({ guard }) => labels.includes(guard.label)).map(({ path }) => path);
const [ofMembers, ofGuests] = [pathsOf('session'), pathsOf('guest', 'none', 'none+link')];

/** What axe-core finds on the whole page: what sticks to an edge covers nothing there. The schemes differ in their colours alone. */
const barredIn = async (page: Page, width: number): Promise<Record<string, string[]>> => {
  const barred: Record<string, string[]> = {};
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const barriers = await barriersOf(page, colorScheme === 'dark' ? 'colours' : undefined);
    if (barriers.length > 0) barred[`${width} ${colorScheme} barriers`] = barriers;
  }
  return barred;
};

/** Shows the page at every width and in every scheme; resolves to what is wrong there. Nothing is wider in the dark. */
const wrongIn = async (page: Page, lookedAt: readonly number[]): Promise<Record<string, string[]>> => {
  const wrong: Record<string, string[]> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: lookedAt.includes(width) ? WHOLE : HEIGHT });
    const misfits = await misfitsOf(page);
    if (misfits.length > 0) wrong[width] = misfits;
    if (lookedAt.includes(width)) Object.assign(wrong, await barredIn(page, width));
  }
  return wrong;
};

/** Opens an address and demands what every page is; resolves to what it complained of. */
const opened = async (page: Page, address: string, lang: string): Promise<void> => {
  const answer = await page.goto(`${commerce.url}${address}`);
  expect([answer?.status(), answer?.headers()['content-security-policy']]).toEqual([200, contentPolicy()]);
  expect([await page.locator('html').getAttribute('lang'), await page.locator('h1').count()]).toEqual([lang, 1]);
  expect(await page.title()).not.toBe('');
};

const inBrowser = (path: string): void => {
  const browser: Browser = useRunning(() => launch(path));
  let shop: Awaited<ReturnType<typeof filledShop>>;
  beforeAll(async () => {
    shop = await filledShop(commerce);
  });

  describe.each(LANGUAGES)('in the language %s', (lang, locale, lookedAt) => {
    let [member, guest]: Page[] = [];
    beforeAll(async () => {
      member = await signInBy(await browser.newContext({ locale }), commerce.url, shop.email);
      guest = await (await browser.newContext({ locale })).newPage();
    });
    afterAll(async () => {
      for (const page of [member, guest]) await page?.context().close();
    });

    it.each([...ofMembers.map((path) => [path, true] as const), ...ofGuests.map((path) => [path, false] as const)])(
      '%s fits, is heard and keeps to its policy',
      async (path, isOfMember) => {
        const page = (isOfMember ? member : guest) as Page;
        const complaints = complaintsOf(page);
        await opened(page, addressIn(shop.rows, path), lang);
        expect({ complaints, wrong: await wrongIn(page, lookedAt) }).toEqual({ complaints: [], wrong: {} });
        page.removeAllListeners();
      },
    );
  });

  describe.each(isAll ? LANGUAGES : [LANGUAGES[0]])('without script, in the language %s', (lang, locale) => {
    let page: Page;
    beforeAll(async () => {
      const context = await browser.newContext({ locale, javaScriptEnabled: false });
      page = await signInBy(context, commerce.url, shop.email);
    });
    afterAll(() => page.context().close());

    it.each(ofMembers)('%s is there and fits, and its menu opens', async (path) => {
      const complaints = complaintsOf(page);
      await opened(page, addressIn(shop.rows, path), lang);
      const misfits: string[] = [];
      for (const width of isAll ? [...WIDTHS, 390] : [390]) {
        await page.setViewportSize({ width, height: HEIGHT });
        misfits.push(...(await misfitsOf(page)));
      }
      await page.locator('.tabs button').click();
      await page.locator('#menu a[href="/coupons"]').click({ trial: true });
      expect({ complaints, misfits }).toEqual({ complaints: [], misfits: [] });
      page.removeAllListeners();
    });
  });

  it('a page that does not fit, a name that is missing and a policy that was broken are found', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: HEIGHT } });
    const complaints = complaintsOf(page);
    await page.goto(`${commerce.url}/login`);
    expect([await misfitsOf(page), await barriersOf(page)]).toEqual([[], []]);
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend',
      '<button id="nameless"></button><p id="wide"></p><img src="https://elsewhere.example/x.png">');
      document.getElementById('wide').style.width = '500px'; document.getElementById('wide').textContent = 'x';`);
    expect(await misfitsOf(page)).toEqual(expect.arrayContaining(['p#wide “x”']));
    expect(await barriersOf(page)).toContainEqual(expect.stringContaining('button-name: <button id="nameless">'));
    expect(complaints).toContainEqual(expect.stringContaining('Content Security Policy'));
    await page.context().close();
  });
};
if (executablePath) inBrowser(executablePath);

it('every page that shows a row has one in the shop of these tests', async () => {
  const { rows } = await filledShop(commerce);
  expect(shown.map(({ path }) => addressIn(rows, path)).filter((address) => address.includes('{'))).toEqual([]);
});
