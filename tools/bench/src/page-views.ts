import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** One loading of a page. */
export interface Loaded {
  /** As they came over the line, headers and all (CDP `encodedDataLength`). */
  readonly bytes: number;
  readonly requests: number;
  /** Begun before it had loaded and its largest part was painted: what a buyer waits for. */
  readonly awaited: number;
  /** Until its largest part was painted (web.dev/lcp), from the start of the navigation. */
  readonly paintedMs: number;
  /** How much of it moved meanwhile (web.dev/cls), until it had loaded. */
  readonly shift: number;
}

export interface Sight {
  readonly first: Loaded;
  /** With what the browser has kept of the first. */
  readonly later: Loaded;
}

export interface Line {
  readonly latencyMs: number;
  readonly bytesPerSecond: number;
  /** Of the processor. */
  readonly slowdown: number;
}

export interface Looking {
  readonly cookies: Cookies;
  readonly slow?: Line;
}

const PHONE = { width: 390, height: 844 };
/** The last largest part that was told, when all had loaded, and the sum of what moved. */
const SEEN = `new Promise((resolve) => {
  let [paintedMs, shift] = [0, 0];
  const observe = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  observe('largest-contentful-paint', (entry) => { paintedMs = entry.startTime; });
  observe('layout-shift', (entry) => { shift += entry.value; });
  const [{ loadEventStart: loadedMs }] = performance.getEntriesByType('navigation');
  setTimeout(() => resolve({ paintedMs, loadedMs, shift }), 300);
})`;

interface Told extends Pick<Loaded, 'paintedMs' | 'shift'> {
  readonly loadedMs: number;
}

/** The owner of the shop, signed in on the page that people use: what their browser keeps. */
export const signedIn = async (browser: Browser, url: string): Promise<Cookies> => {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${url}/login`);
    await page.locator('#email').fill('agent@shop.example');
    await page.locator('#password').fill('a good passphrase');
    const gone = page.waitForURL((now) => now.pathname !== '/login');
    await Promise.all([gone, page.locator('main button').first().click()]);
    return await context.cookies();
  } finally {
    await context.close();
  }
};

const slowed = async (line: CDPSession, { latencyMs, bytesPerSecond, slowdown }: Line): Promise<void> => {
  const throughput = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
  await line.send('Network.emulateNetworkConditions', { offline: false, latency: latencyMs, ...throughput });
  await line.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
};

const loaded = async (page: Page, line: CDPSession, url: string): Promise<Loaded> => {
  let [bytes, requests] = [0, 0];
  const cached = new Set<string>();
  const begun = new Map<string, number>();
  const asked = ({ requestId, timestamp }: { requestId: string; timestamp: number }) =>
    void begun.set(requestId, timestamp * 1_000);
  const kept = ({ requestId }: { requestId: string }) => void cached.add(requestId);
  const done = ({ requestId, encodedDataLength }: { requestId: string; encodedDataLength: number }) => {
    if (cached.has(requestId)) return;
    bytes += encodedDataLength;
    requests += 1;
  };
  line.on('Network.requestWillBeSent', asked);
  line.on('Network.requestServedFromCache', kept);
  line.on('Network.loadingFinished', done);
  const answer = await page.goto(url, { waitUntil: 'load' });
  if (!answer?.ok()) throw new Error(`${url} was answered with ${answer?.status()}`);
  const { paintedMs, loadedMs, shift } = await page.evaluate<Told>(SEEN);
  line.off('Network.requestWillBeSent', asked);
  line.off('Network.requestServedFromCache', kept);
  line.off('Network.loadingFinished', done);
  const [start = 0] = begun.values();
  const isAwaited = ([id, at]: readonly [string, number]) =>
    !cached.has(id) && at - start <= Math.min(paintedMs, loadedMs);
  return { bytes, requests, awaited: [...begun].filter(isAwaited).length, paintedMs, shift };
};

/** Looks at a page with a browser that knows nothing of the shop, and once more. */
export const seen = async (browser: Browser, url: string, { cookies, slow }: Looking): Promise<Sight> => {
  const context = await browser.newContext({ viewport: PHONE, locale: 'id-ID' });
  try {
    await context.addCookies(cookies);
    const page = await context.newPage();
    const line = await context.newCDPSession(page);
    await line.send('Network.enable');
    if (slow) await slowed(line, slow);
    const first = await loaded(page, line, url);
    await page.goto('about:blank');
    return { first, later: await loaded(page, line, url) };
  } finally {
    await context.close();
  }
};
