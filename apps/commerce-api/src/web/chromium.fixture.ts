import { join } from 'node:path';
import { source as axe } from 'axe-core';
import { buildSync } from 'esbuild';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { PASSWORD } from './browser.fixture';

/** Nothing of its own leaves for the network. */
const ARGUMENTS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** For what hangs: no test is to fail because the machine is slow. */
const SLOW_MS = 300_000;

export const launch = async (executablePath: string, ...more: readonly string[]): Promise<Browser> => {
  const browser = await chromium.launch({ executablePath, args: [...ARGUMENTS, ...more], timeout: SLOW_MS });
  const newContext = browser.newContext.bind(browser);
  const patient: Browser['newContext'] = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(SLOW_MS);
    return context;
  };
  return Object.assign(browser, { newContext: patient });
};

/** What a page did that none may: errors and warnings of its console, violations of its policy among them, and requests that failed. */
export const complaintsOf = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => {
    // A change of pages is not drawn in a window that gets another size meanwhile: nobody misses it
    if (!message.startsWith('Transition was aborted')) complaints.push(message);
  });
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure() ?? {};
    // Whoever goes on does not wait for the icon of the page before
    if (errorText !== 'net::ERR_ABORTED') complaints.push(`${request.url()}: ${errorText}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.url()}: ${response.status()}`);
  });
  return complaints;
};

const made = (): string => {
  const { outputFiles } = buildSync({
    ...{ entryPoints: [join(__dirname, 'clipped.browser.ts')], bundle: true, write: false, format: 'iife' },
    ...{ globalName: 'measured', tsconfigRaw: '{}' },
  });
  return outputFiles[0]?.text ?? '';
};
let measuring: string | undefined;

/** What does not fit into the page as it is shown now, and what is too small for a finger. */
export const misfitsOf = async (page: Page): Promise<string[]> => {
  measuring ??= made();
  return page.evaluate<string[]>(`(() => { ${measuring}; return [...measured.clipped(), ...measured.tooSmall()]; })()`);
};

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Serious and critical findings of axe-core; `colours`: only those that differ in another scheme. */
export const barriersOf = async (page: Page, only?: 'colours'): Promise<string[]> => {
  const options = only ? { runOnly: ['color-contrast'] } : { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] };
  await page.evaluate(`window.axe ? undefined : (() => { ${axe} })()`);
  const found = await page.evaluate<readonly Violation[]>(
    `axe.run(document, { ...${JSON.stringify(options)}, resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
};

/** Signs in as somebody does, and waits for the page that follows. */
export const signInBy = async (context: BrowserContext, url: string, email: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.locator('#email').fill(email);
  await page.locator('#password').fill(PASSWORD);
  await Promise.all([page.waitForURL('**/dashboard'), page.locator('main button').click()]);
  return page;
};
