import { environment } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { adsAccounts } from '@platform/testing/graph';
import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { bareBody, handshakeHeaders, useAdsWithGraph } from './ads.fixture';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath)
  process.stderr.write('CHROMIUM_PATH is not set: the page at /docs/api was not tried in a browser.\n');

/** For what hangs: no test is to fail because the machine is slow. */
const SLOW_MS = 300_000;
const ads = useAdsWithGraph();

/** One operation of the page, unfolded. */
const operation = async (page: Page, name: string): Promise<Locator> => {
  const block = page.locator('.opblock', { has: page.locator(`[data-path="${name}"]`) }).first();
  await block.locator('.opblock-summary-control').click();
  return block;
};

const fill = async (block: Locator, values: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(values))
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
};

/** Presses Execute; status and body that the page shows then. */
const execute = async (block: Locator): Promise<{ status: string; body: unknown }> => {
  const answered = block.page().waitForResponse((response) => response.url().startsWith(`${ads.url}/api/`));
  await block.locator('button.execute').click();
  await answered;
  const live = block.locator('.live-responses-table .response').first();
  await live.waitFor();
  const status = (await live.locator('.response-col_status').innerText()).trim();
  return { status, body: JSON.parse(await live.locator('.highlight-code pre').innerText()) as unknown };
};

const authorize = async (page: Page, values: Readonly<Record<string, string>>): Promise<void> => {
  await page.locator('.auth-wrapper .authorize').first().click();
  for (const [scheme, value] of Object.entries(values)) {
    const box = page.locator('.auth-container', { has: page.locator(`code:text-is("${scheme}")`) });
    await box.locator('input').fill(value);
    await box.locator('button.authorize').click();
  }
  await page.locator('.modal-ux .close-modal').click();
};

const inBrowser = (path: string): void =>
  describe('the page at /docs/api in a browser', () => {
    const options = { executablePath: path, args: ['--no-sandbox'], timeout: SLOW_MS };
    const browser: Browser = useRunning(() => chromium.launch(options));

    it('makes a handshake and a top-up with what that gave, and asks no other address for anything', async () => {
      const page = await browser.newPage();
      page.setDefaultTimeout(SLOW_MS);
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).origin));
      page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${ads.url}/docs/api`);

      const client = await ads.client();
      await ads.connect(client);
      const shake = await operation(page, '/api/application/token');
      await fill(shake, handshakeHeaders(client, ads.clock.now().toISOString()));
      const minted = await execute(shake);
      expect(minted).toMatchObject({ status: '200', body: { data: { token_type: 'Bearer' } } });

      const { access_token: opaque } = (minted.body as { data: { access_token: string } }).data;
      await authorize(page, { opaque, 'public-key': bareBody(client.publicPem) });
      const checked = await execute(await operation(page, '/api/application/token/check'));
      expect(checked).toMatchObject({ status: '200', body: { data: { application_id: client.id, name: 'A client' } } });

      const topup = await operation(page, '/api/account/topup');
      await topup
        .locator('textarea.body-param__text')
        .fill(JSON.stringify({ account_id: adsAccounts.usd, amount: 157.5 }));
      await fill(topup, { 'idempotency-key': 'from-the-page' });
      const done = { success: true, new_spend_cap: 657.5, previous_spend_cap: 500, amount: 157.5, currency: 'USD' };
      expect(await execute(topup)).toMatchObject({ status: '200', body: { data: done } });
      expect(await execute(topup)).toMatchObject({ status: '200', body: { data: done } });
      expect(ads.graph.ads.account(adsAccounts.usd).spend_cap).toBe(65_750);

      expect(new Set(asked)).toEqual(new Set([ads.url]));
      expect(complaints).toEqual([]);
      expect(await page.locator('.info').innerText()).toContain('Upstream: sandbox.');
    });
  });
if (executablePath) inBrowser(executablePath);

it('the documentation names no place on the internet to load anything from', async () => {
  const { body } = await ads.call('/docs/api');
  expect(String(body).match(/(?:src|href)="[^"]*"/g)).toEqual([
    'href="data:,"',
    'href="/docs/api/assets/swagger-ui.css"',
    'src="/docs/api/assets/swagger-ui-bundle.js"',
    'src="/docs/api/assets/open.js"',
  ]);
});
