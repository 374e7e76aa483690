import { environment } from '@platform/runtime';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import type { Bench, Figures, Report } from './bench.types';
import { getRequest, measureServer } from './load';
import { alternate } from './rounds';
import { servedShop, type ServedShop } from './shop';
import { SHOP_SLUG } from './shop-data';
import { seen, signedIn, type Sight } from './page-views';

const ORDERS = 200_000;
/** What a page of a shop of this size may take, of 95 in 100 (commerce-web 19): in the back office, and for buyers. */
const [DESK_MS, BUYER_MS] = [120, 40];
const SECONDS = 3;
const ROUNDS = 3;
/** A phone on a slow line: 1.6 Mbit/s, 150 ms there and back, a processor a quarter as fast. */
const SLOW = { latencyMs: 150, bytesPerSecond: 200_000, slowdown: 4 };

const HOME = ['summary', 'alerts', 'sales-chart?days=7', 'top-products?days=7'];
/** Each with the routes of the API that read the same. */
const DESK = {
  home: { path: '/dashboard', api: HOME.map((of) => `/api/dashboard/${of}`) },
  orders: { path: '/orders', api: ['/api/order?per_page=20'] },
  'product form': { path: '/products/create', api: ['/api/team/permissions'] },
} as const;
const CATALOGUE = `/s/${SHOP_SLUG}`;

const pathOf = (page: Page): string => new URL(page.url()).pathname;
const kilobytes = (bytes: number): number => Math.round(bytes / 102.4) / 10;

type Walk = Readonly<Record<'product' | 'checkout', string>>;

/** From the catalogue to the checkout, by the forms that buyers use: where a product is shown, and where it is paid for. */
const walked = async (context: BrowserContext, url: string): Promise<Walk> => {
  const page = await context.newPage();
  try {
    await page.goto(url + CATALOGUE);
    await page.locator('a.shop-card').first().click();
    await page.waitForURL(/\/products\//);
    const product = pathOf(page);
    await page.locator('main form[method="post"] button').last().click();
    await page.waitForURL(/\/checkout\//);
    return { product, checkout: pathOf(page) };
  } finally {
    await page.close();
  }
};

/** Of the shop counts what a buyer waits for; the counting of visits, for one, comes after. */
const bounded = (report: Report, name: string, { first, later }: Sight): void => {
  report.ratio(`${name}.first`, kilobytes(first.bytes), `KB of a first visit, ${name}`);
  report.ratio(`${name}.later`, kilobytes(later.bytes), `KB of a later visit, ${name}`);
  report.ratio(`${name}.shift`, first.shift, `what moves while it loads (CLS), ${name}`);
  if (name in DESK) report.ratio(`${name}.requests`, first.requests, `requests of a first visit, ${name}`);
  else report.ratio(`${name}.requests`, first.awaited, `requests of a first visit before its LCP, ${name}`);
};

/** What a browser loads for each page, at first and again; resolves to where the buyer went. */
const transfer = async (report: Report, browser: Browser, { server }: ServedShop): Promise<Walk> => {
  const url = `http://127.0.0.1:${server.port}`;
  const rows: Record<string, Figures> = {};
  const noted = (name: string, sight: Sight): void => {
    bounded(report, name, sight);
    const { first, later } = sight;
    rows[name] = {
      ...{ 'first KB': kilobytes(first.bytes), 'first requests': first.requests, 'first LCP ms': first.paintedMs },
      ...{ 'later KB': kilobytes(later.bytes), 'later requests': later.requests, 'later LCP ms': later.paintedMs },
    };
  };
  for (const [name, { path }] of Object.entries(DESK))
    noted(name, await seen(browser, url + path, { cookies: await signedIn(browser, url) }));
  noted('catalogue', await seen(browser, url + CATALOGUE, { cookies: [] }));
  const guest = await browser.newContext();
  const walk = await walked(guest, url);
  await guest.close();
  noted('checkout', await seen(browser, url + walk.checkout, { cookies: [] }));
  report.table('What a browser loads, on an idle line', rows);
  const slow = await seen(browser, url + CATALOGUE, { cookies: [], slow: SLOW });
  report.ratio('lcp.first', slow.first.paintedMs / 1_800, 'LCP of the catalogue, first visit on a slow line : 1.8 s');
  report.ratio('lcp.later', slow.later.paintedMs / 1_000, 'LCP of the catalogue, later visit on a slow line : 1 s');
  return walk;
};

const cpuOf = (figures: Figures): number => figures['CPU µs/request'] ?? 0;

/** What a page costs the process beyond the API's answers of the same, and how long one takes. */
const rendering = async (report: Report, browser: Browser, { server, headers }: ServedShop): Promise<void> => {
  const cookies = await signedIn(browser, `http://127.0.0.1:${server.port}`);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const load = { keys: 1, keyWidth: 1, seconds: SECONDS, connections: 1 };
  const rows: Record<string, Figures> = {};
  for (const [name, { path, api }] of Object.entries(DESK)) {
    report.progress(`the page ${path}`);
    const page = { ...load, request: getRequest(path, { Cookie: cookie, Accept: 'text/html' }), expects: '</html>' };
    const asked = (of: string) => ({ ...load, request: getRequest(of, headers), expects: '"status":"success"' });
    const ways: Record<string, () => Promise<Figures>> = { page: () => measureServer(server, page) };
    for (const of of api) ways[of] = () => measureServer(server, asked(of));
    const { page: whole = {}, ...answers } = await alternate(ways, ROUNDS);
    rows[name] = whole;
    const beyond = cpuOf(whole) - Object.values<Figures>(answers).reduce((sum, each) => sum + cpuOf(each), 0);
    report.ratio(`cpu.${name}`, beyond / 1_000, `ms of CPU that the page takes beyond the API's answers, ${name}`);
    report.ratio(`server.${name}`, (whole['p95 ms'] ?? NaN) / DESK_MS, `p95 of the page : ${DESK_MS} ms, ${name}`);
  }
  report.table('Pages of a shop of 200,000 orders, one after the other', rows);
};

/** Each request from an address of its own: how many one may ask for is limited. */
const BUYERS = { keys: 4_096, keyWidth: 4, seconds: SECONDS, connections: 1, expects: '</html>' };

/** How long buyers wait for a page. */
const serving = async (report: Report, { server }: ServedShop, walk: Walk): Promise<void> => {
  const paths = { catalogue: CATALOGUE, search: `${CATALOGUE}/products?search=product`, ...walk };
  const ways = Object.fromEntries(
    Object.entries(paths).map(([name, path]) => {
      const request = getRequest(path, { Accept: 'text/html', 'X-Forwarded-For': '2001:db8:0:{key}::1' });
      return [name, () => measureServer(server, { ...BUYERS, request })];
    }),
  );
  report.progress('the pages of buyers');
  const rows = await alternate(ways, ROUNDS);
  for (const [name, row] of Object.entries(rows))
    report.ratio(`server.${name}`, (row['p95 ms'] ?? NaN) / BUYER_MS, `p95 of the page : ${BUYER_MS} ms, ${name}`);
  report.table('Pages that buyers see, of 50,000 products', rows);
};

/** How heavy the pages are: for the line, for the browser, for the process that makes them. */
export const bench: Bench = {
  name: 'pages',
  onlyNamed: 'it needs a Chromium, named by CHROMIUM_PATH, and a shop of 200,000 orders (kept in .data/bench)',
  run: async (report) => {
    const { CHROMIUM_PATH: executablePath } = environment;
    if (!executablePath) throw new Error('CHROMIUM_PATH names no browser: set it to one, such as /usr/bin/chromium');
    const shop = await servedShop(report, ORDERS, { TRUST_PROXY: '127.0.0.1' });
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      const walk = await transfer(report, browser, shop);
      await rendering(report, browser, shop);
      await serving(report, shop, walk);
    } finally {
      await browser.close();
    }
    report.note('Without TLS: a first visit is one round trip shorter than at a shop. Pictures of the shop are none.');
  },
};
