// The page of a number in a real browser: it is told when its phone has scanned the code, and nothing that is typed is lost by it.
import { environment, uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import { startFakeAgents } from '../../clients/bot.agents.fake';
import { startFakeGateway } from '../../clients/wa.gateway.fake';
import { startCommerce } from '../../commerce.fixture';
import { signedIn } from '../../web/browser.fixture';
import { launch, signInBy } from '../../web/chromium.fixture';

const executablePath = environment.CHROMIUM_PATH;
if (!executablePath) process.stderr.write('CHROMIUM_PATH is not set: no number was linked in a browser.\n');

const gateway = useRunning(startFakeGateway);
const bot = useRunning(startFakeAgents);
const commerce = useRunning(() =>
  startCommerce({ WA_GATEWAY_URL: gateway.url, BOT_URL: bot.url }, new Date().toISOString()),
);

const inBrowser = (path: string): void => {
  const browser = useRunning(() => launch(path));
  const DEVICE = `INSERT INTO device (store_id, id, instance_id, name, created_at, updated_at)
    VALUES ($1, gen_random_uuid(), $2, 'WA toko', now(), now()) RETURNING id`;

  it('the code goes and the state comes by themselves, and a name that is being typed stays', async () => {
    const { storeId, email } = await signedIn(commerce);
    const instance = `dev-${storeId}`;
    const [{ id } = {}] = await commerce.database.query<{ id: string }>(DEVICE, [storeId, instance]);
    const page = await signInBy(await browser.newContext({ locale: 'id-ID' }), commerce.url, email);
    await page.goto(`${commerce.url}/devices/${id}`);
    await page.locator('img.qr').waitFor();
    await page.locator('#save-name').fill('Sedang diketik');
    await gateway.scan(instance, '628120000009');
    await page.locator('#state .chip.good').waitFor();
    expect([await page.locator('img.qr').count(), await page.locator('#save-name').inputValue()]).toEqual([
      ...[0, 'Sedang diketik'],
    ]);
    await page.context().close();
  });
};
if (executablePath) inBrowser(executablePath);

it('a number that nobody has has no page', async () => {
  const { browser } = await signedIn(commerce);
  expect((await browser.get(`/devices/${uuidv7()}`)).status).toBe(404);
});
